import { ABROAD, BREACH, HEALTH, MOVE, PERSONAL, VENDOR } from '#app/engine/a2a/compliance-copilot/library/words.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

export const UK_GDPR: Regulation = {
  id: 'uk-gdpr',
  name: 'UK GDPR',
  citation: 'UK General Data Protection Regulation and Data Protection Act 2018',
  jurisdictions: ['UK'],
  kind: 'law',
  obligations: [
    {
      id: 'uk-gdpr-6',
      article: 'Article 6(1) UK GDPR',
      title: 'Lawful basis',
      duty: 'Personal data are processed only on one of the lawful bases of Article 6.',
      severity: 'medium',
      when: [PERSONAL, ['process*', 'collect*', 'use', 'uses', 'using', 'analys*', 'share*', 'store*', 'storing']],
      contains: ['email', 'phone', 'national_id', 'iban'],
    },
    {
      id: 'uk-gdpr-9',
      article: 'Article 9 UK GDPR and section 10 DPA 2018',
      title: 'Special category data',
      duty: 'Data on health, biometrics, genetics, beliefs, ethnic origin or sexual orientation are processed only under a condition of Article 9, and of Schedule 1 where it asks for one.',
      severity: 'high',
      when: [
        [...HEALTH, 'biometric*', 'genetic*', 'ethnic*', 'religious belief*', 'sexual orientation', 'trade union', 'facial recognition'],
      ],
    },
    {
      id: 'uk-gdpr-28',
      article: 'Article 28(3) UK GDPR',
      title: 'Processors',
      duty: 'A processor works under a contract that binds it to documented instructions, confidentiality, security and deletion or return.',
      severity: 'medium',
      when: [VENDOR, [...PERSONAL, 'patient*', 'records']],
    },
    {
      id: 'uk-gdpr-33',
      article: 'Article 33(1) UK GDPR',
      title: 'Notification of the ICO',
      duty: 'A personal data breach is notified to the Information Commissioner without undue delay and, where feasible, within 72 hours.',
      severity: 'high',
      when: [BREACH, [...PERSONAL, ...HEALTH, 'data', 'records', 'spreadsheet*', 'laptop*', 'email*', 'e-mail*']],
    },
    {
      id: 'uk-gdpr-44',
      article: 'Chapter V UK GDPR',
      title: 'Transfers abroad',
      duty: 'Personal data go to a third country only under adequacy regulations, appropriate safeguards such as the International Data Transfer Agreement, or a derogation.',
      severity: 'high',
      when: [MOVE, ABROAD],
    },
  ],
};

export const FCA: Regulation = {
  id: 'fca',
  name: 'FCA Handbook',
  citation: 'FCA Handbook (PRIN, SYSC, DISP)',
  jurisdictions: ['UK'],
  kind: 'law',
  obligations: [
    {
      id: 'fca-prin-2a',
      article: 'PRIN 2A.2.1R',
      title: 'Consumer Duty',
      duty: 'A firm acts to deliver good outcomes for retail customers, in good faith, avoiding foreseeable harm and supporting their objectives.',
      severity: 'medium',
      when: [
        ['retail customer*', 'retail client*', 'consumers', 'vulnerable customer*', 'vulnerable client*'],
        ['product*', 'fee*', 'charge*', 'price*', 'invest*', 'loan*', 'insur*', 'support', 'harm*', 'outcome*'],
      ],
    },
    {
      id: 'fca-sysc-8',
      article: 'SYSC 8.1.1R',
      title: 'Outsourcing',
      duty: 'A firm that relies on others for critical functions takes reasonable steps against undue operational risk and does not impair its control or supervision.',
      severity: 'medium',
      when: [VENDOR, ['critical', 'important function*', 'operational', 'core system*', 'bank*', 'payment*', 'trading', 'cloud']],
    },
    {
      id: 'fca-disp-1-6',
      article: 'DISP 1.6.2R',
      title: 'Complaints',
      duty: 'By the end of eight weeks after a complaint, a firm sends a final response, or says why it cannot and that the complainant may go to the Ombudsman.',
      severity: 'medium',
      when: [['complaint*', 'complain', 'complains', 'complained', 'ombudsman']],
    },
  ],
};

export const UK_FOIA: Regulation = {
  id: 'uk-foia',
  name: 'UK FOIA',
  citation: 'Freedom of Information Act 2000',
  jurisdictions: ['UK'],
  kind: 'law',
  obligations: [
    {
      id: 'uk-foia-10',
      article: 'Sections 1(1) and 10(1)',
      title: 'Time to answer',
      duty: 'A public authority says whether it holds the information and provides it promptly, at the latest on the twentieth working day after receipt.',
      severity: 'medium',
      when: [['foi request*', 'foia', 'freedom of information', 'information request*', 'public records request*']],
    },
    {
      id: 'uk-foia-40',
      article: 'Section 40(2)',
      title: 'Personal information',
      duty: 'Personal data of others are not disclosed where that would breach the data protection principles.',
      severity: 'medium',
      when: [
        ['foi request*', 'freedom of information', 'information request*', 'disclosure log'],
        ['personal', 'names', 'home address*', 'redact*', 'employee*', 'salary', 'phone number*'],
      ],
    },
  ],
};

export const LGPD: Regulation = {
  id: 'lgpd',
  name: 'LGPD',
  citation: 'Lei Geral de Proteção de Dados, Law No. 13.709/2018',
  jurisdictions: ['BR'],
  kind: 'law',
  obligations: [
    {
      id: 'lgpd-7',
      article: 'Article 7',
      title: 'Legal bases',
      duty: 'Personal data are processed only under one of the ten legal bases, such as consent, a legal obligation, a contract or the protection of credit.',
      severity: 'medium',
      when: [PERSONAL, ['process*', 'collect*', 'use', 'uses', 'using', 'analys*', 'analyz*', 'share*', 'store*', 'storing']],
      contains: ['email', 'phone', 'national_id'],
    },
    {
      id: 'lgpd-11',
      article: 'Article 11',
      title: 'Sensitive personal data',
      duty: 'Sensitive data, such as on health, race, religion, genetics or biometrics, are processed only with specific consent or under the cases of Article 11.',
      severity: 'high',
      when: [
        [
          ...HEALTH,
          'biometric*',
          'genetic*',
          'ethnic*',
          'religious belief*',
          'sexual orientation',
          'political opinion*',
          'facial recognition',
        ],
      ],
    },
    {
      id: 'lgpd-20',
      article: 'Article 20',
      title: 'Automated decisions',
      duty: 'People may ask for the review of decisions made solely by automated processing that affect their interests, and for the criteria used.',
      severity: 'high',
      when: [
        [
          'automated decision*',
          'automatically approv*',
          'automatically reject*',
          'automatically declin*',
          'automatically decid*',
          'profiling',
          'credit scor*',
          'without human',
        ],
      ],
    },
    {
      id: 'lgpd-33',
      article: 'Article 33',
      title: 'International transfers',
      duty: 'Personal data leave Brazil only to countries with adequate protection, under guarantees such as standard clauses, or in the other cases of Article 33.',
      severity: 'high',
      when: [MOVE, ABROAD],
    },
    {
      id: 'lgpd-48',
      article: 'Article 48 and ANPD Resolution 15/2024',
      title: 'Notification of incidents',
      duty: 'A security incident that may bring relevant risk or harm is communicated to the ANPD and to the people concerned within three business days.',
      severity: 'high',
      when: [BREACH, [...PERSONAL, ...HEALTH, 'data', 'records', 'laptop*', 'spreadsheet*']],
    },
  ],
};
