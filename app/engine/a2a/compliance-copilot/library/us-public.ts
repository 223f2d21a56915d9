import { DELETE } from '#app/engine/a2a/compliance-copilot/library/words.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

export const PART_11: Regulation = {
  id: 'part-11',
  name: 'FDA 21 CFR Part 11',
  citation: 'Electronic Records; Electronic Signatures, 21 CFR Part 11',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'part-11-10-a',
      article: '21 CFR 11.10(a)',
      title: 'Validation',
      duty: 'Systems that keep electronic records are validated for accuracy, reliability, consistent performance and the ability to tell altered records.',
      severity: 'medium',
      when: [
        [
          'computer system validation',
          'validated system*',
          'unvalidated',
          'gxp',
          'gmp',
          'clinical trial*',
          'batch record*',
          'laboratory system*',
          'lims',
        ],
        ['system*', 'software', 'validat*', 'spreadsheet*', 'record*'],
      ],
    },
    {
      id: 'part-11-10-e',
      article: '21 CFR 11.10(e)',
      title: 'Audit trails',
      duty: 'Secure, computer-generated, time-stamped audit trails record what operators create, change or delete, without hiding what stood before.',
      severity: 'high',
      when: [
        [
          'batch record*',
          'clinical trial*',
          'laboratory result*',
          'lab result*',
          'electronic record*',
          'trial data',
          'case report form*',
          'stability data',
        ],
        ['change*', 'correct*', 'edit*', 'overwrit*', 'delet*', 'audit trail*', 'alter*', 'backdat*'],
      ],
    },
    {
      id: 'part-11-50',
      article: '21 CFR 11.50 and 11.70',
      title: 'Signatures',
      duty: 'A signed electronic record shows the signer’s name, the date and time and the meaning of the signature, and the signature is linked so that it cannot be copied to another record.',
      severity: 'medium',
      when: [
        ['sign', 'signs', 'signed', 'signature*', 'sign-off', 'e-sign*'],
        ['batch record*', 'clinical trial*', 'electronic record*', 'protocol', 'gxp', 'gmp', 'lab result*', 'laboratory'],
      ],
    },
  ],
};

export const FOIA: Regulation = {
  id: 'foia',
  name: 'FOIA',
  citation: 'Freedom of Information Act, 5 U.S.C. 552',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'foia-552-a-6',
      article: '5 U.S.C. 552(a)(6)(A)(i)',
      title: 'Time to answer',
      duty: 'A federal agency decides within 20 working days whether to comply with a request for records, and says why and how to appeal.',
      severity: 'medium',
      when: [['foia', 'freedom of information', 'public records request*', 'records request*', 'information request*']],
    },
    {
      id: 'foia-552-b-6',
      article: '5 U.S.C. 552(b)(6)',
      title: 'Personal privacy',
      duty: 'Personnel, medical and similar files whose release would clearly invade personal privacy are exempt, and what can be segregated is released without them.',
      severity: 'medium',
      when: [
        ['foia', 'freedom of information', 'public records', 'release* to the public', 'publish*', 'disclosure log'],
        ['personnel', 'medical', 'home address*', 'personal', 'redact*', 'names', 'social security number*'],
      ],
      contains: ['national_id'],
    },
  ],
};

export const FEDERAL_RECORDS: Regulation = {
  id: 'federal-records',
  name: 'Federal Records Act',
  citation: 'Federal Records Act, 44 U.S.C. Chapters 31 and 33',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'federal-records-3106',
      article: '44 U.S.C. 3106 and 3314',
      title: 'No unlawful destruction',
      duty: 'Federal records are destroyed only under an approved schedule, and an actual or threatened unlawful removal or deletion is reported to the Archivist.',
      severity: 'high',
      when: [
        DELETE,
        ['federal record*', 'government record*', 'agency record*', 'public record*', 'official correspondence', 'case file*'],
      ],
    },
  ],
};
