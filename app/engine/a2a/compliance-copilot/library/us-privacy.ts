import { BREACH, HEALTH, MOVE, VENDOR } from '#app/engine/a2a/compliance-copilot/library/words.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

export const HIPAA: Regulation = {
  id: 'hipaa',
  name: 'HIPAA',
  citation: 'Health Insurance Portability and Accountability Act, 45 CFR Parts 160 and 164',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'hipaa-164-502-a',
      article: '45 CFR 164.502(a)',
      title: 'Uses and disclosures',
      duty: 'Protected health information is used or disclosed only as the Privacy Rule permits or requires, or with the individual’s authorization.',
      severity: 'high',
      when: [HEALTH, [...MOVE, 'use', 'uses', 'used', 'publish*', 'sell', 'sold', 'analys*', 'analyz*', 'summari*', 'process*']],
    },
    {
      id: 'hipaa-164-502-b',
      article: '45 CFR 164.502(b)',
      title: 'Minimum necessary',
      duty: 'Uses, disclosures and requests are limited to the minimum of protected health information that the purpose needs.',
      severity: 'medium',
      when: [
        HEALTH,
        [
          'all records',
          'full record*',
          'entire record*',
          'complete record*',
          'whole file',
          'full history',
          'minimum necessary',
          'everything',
        ],
      ],
    },
    {
      id: 'hipaa-164-504-e',
      article: '45 CFR 164.502(e) and 164.504(e)',
      title: 'Business associates',
      duty: 'A business associate gets protected health information only under a contract that binds it to safeguard and not to misuse it.',
      severity: 'high',
      when: [
        HEALTH,
        [...VENDOR, 'business associate*', 'baa', 'ai service*', 'language model*', 'transcription service*', 'billing company'],
      ],
    },
    {
      id: 'hipaa-164-312',
      article: '45 CFR 164.312(a) and (e)',
      title: 'Technical safeguards',
      duty: 'Access to electronic protected health information is limited to those granted it, and it is guarded against unauthorized access in transmission.',
      severity: 'high',
      when: [
        HEALTH,
        [
          'unencrypted',
          'encrypt*',
          'shared password*',
          'shared login*',
          'access control*',
          'email*',
          'e-mail*',
          'text message*',
          'usb',
          'laptop*',
          'personal phone*',
        ],
      ],
    },
    {
      id: 'hipaa-164-404',
      article: '45 CFR 164.404(b) and 164.408',
      title: 'Breach notification',
      duty: 'Individuals are notified of a breach of unsecured protected health information without unreasonable delay and within 60 days; of 500 or more, the Secretary at the same time.',
      severity: 'high',
      when: [HEALTH, BREACH],
    },
    {
      id: 'hipaa-164-524',
      article: '45 CFR 164.524(b)(2)',
      title: 'Access of individuals',
      duty: 'A request of an individual for their own protected health information is acted on within 30 days, extended once by 30.',
      severity: 'medium',
      when: [
        HEALTH,
        [
          'request* a copy',
          'access request*',
          'request* access',
          'request* their record*',
          'copy of their',
          'copy of my',
          'right of access',
        ],
      ],
    },
  ],
};

export const CCPA: Regulation = {
  id: 'ccpa',
  name: 'CCPA/CPRA',
  citation: 'California Consumer Privacy Act, Cal. Civ. Code § 1798.100 et seq., as amended by the CPRA',
  jurisdictions: ['US-CA'],
  kind: 'law',
  obligations: [
    {
      id: 'ccpa-100',
      article: '§ 1798.100(a)',
      title: 'Notice at collection',
      duty: 'At or before collection, consumers are told the categories of personal information, the purposes, whether it is sold or shared, and how long it is kept.',
      severity: 'medium',
      when: [
        ['collect*', 'sign-up', 'registration', 'web form*', 'app'],
        ['personal information', 'personal data', 'customer data', 'consumer data', 'consumers', 'geolocation', 'browsing'],
      ],
    },
    {
      id: 'ccpa-105',
      article: '§§ 1798.105 and 1798.130(a)(2)',
      title: 'Deletion',
      duty: 'A verifiable request to delete is confirmed and answered within 45 days, extended once by 45, and passed on to service providers and contractors.',
      severity: 'medium',
      when: [
        ['deletion request*', 'request* deletion', 'request* to delete', 'delete my', 'delete their data', 'right to delete', 'erasure'],
      ],
    },
    {
      id: 'ccpa-120',
      article: '§§ 1798.120 and 1798.135',
      title: 'Opt-out of sale and sharing',
      duty: 'Consumers may at any time forbid the sale or sharing of their personal information, and the business offers a clear link and honours opt-out signals.',
      severity: 'high',
      when: [
        ['sell', 'sells', 'selling', 'sold', 'share*', 'sharing', 'cross-context', 'data broker*', 'advertising partner*'],
        ['personal information', 'personal data', 'customer data', 'consumer data', 'user data', 'browsing history', 'customer list*'],
      ],
    },
    {
      id: 'ccpa-121',
      article: '§ 1798.121',
      title: 'Sensitive personal information',
      duty: 'Consumers may limit the use of sensitive personal information, such as precise location, health, race or account log-ins, to what the service needs.',
      severity: 'medium',
      when: [
        [
          'precise geolocation',
          'precise location',
          'sensitive personal information',
          'biometric*',
          'genetic*',
          'social security number*',
          'immigration status',
          'ethnic*',
          'sexual orientation',
        ],
      ],
    },
  ],
};

export const COPPA: Regulation = {
  id: 'coppa',
  name: 'COPPA',
  citation: 'Children’s Online Privacy Protection Rule, 16 CFR Part 312',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'coppa-312-5',
      article: '16 CFR 312.5(a)',
      title: 'Parental consent',
      duty: 'Verifiable parental consent is obtained before personal information of a child under 13 is collected, used or disclosed.',
      severity: 'high',
      when: [
        ['children', 'child', 'kids', 'minors', 'under 13', 'pupils'],
        ['app', 'online', 'website', 'game*', 'collect*', 'account*', 'data', 'information', 'chatbot*'],
      ],
    },
  ],
};

export const FERPA: Regulation = {
  id: 'ferpa',
  name: 'FERPA',
  citation: 'Family Educational Rights and Privacy Act, 34 CFR Part 99',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'ferpa-99-30',
      article: '34 CFR 99.30(a)',
      title: 'Consent to disclosure',
      duty: 'Personally identifiable information from education records is disclosed only with signed and dated written consent, unless an exception of 99.31 applies.',
      severity: 'high',
      when: [['education record*', 'student record*', 'student data', 'transcripts', 'grades', 'student file*'], MOVE],
    },
  ],
};
