import { BREACH, CUSTOMER, DELETE, VENDOR } from '#app/engine/a2a/compliance-copilot/library/words.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

export const SOX: Regulation = {
  id: 'sox',
  name: 'SOX',
  citation: 'Sarbanes-Oxley Act of 2002, Pub. L. 107-204',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'sox-302',
      article: 'Section 302 (15 U.S.C. 7241)',
      title: 'Certification of reports',
      duty: 'The chief executive and the chief financial officer certify each annual and quarterly report and the controls behind it.',
      severity: 'medium',
      when: [
        ['quarterly report*', 'annual report*', '10-k', '10-q', 'financial statement*', 'earnings report*', 'sec filing*'],
        ['certif*', 'sign*', 'ceo', 'cfo', 'publish*', 'file', 'filed', 'submit*', 'prepare*'],
      ],
    },
    {
      id: 'sox-404',
      article: 'Section 404 (15 U.S.C. 7262)',
      title: 'Internal control over financial reporting',
      duty: 'Management keeps adequate internal control over financial reporting and assesses it every year; the auditor of larger issuers attests to it.',
      severity: 'high',
      when: [
        [
          'journal entr*',
          'general ledger',
          'revenue recognition',
          'financial reporting',
          'segregation of duties',
          'month-end close',
          'year-end close',
          'account reconciliation*',
          'internal control*',
          'manual adjustment*',
        ],
      ],
    },
    {
      id: 'sox-802',
      article: 'Section 802 (18 U.S.C. 1519)',
      title: 'No destruction of records',
      duty: 'Nobody alters, destroys, conceals or falsifies records to impede an investigation; audit workpapers are kept for seven years.',
      severity: 'high',
      when: [
        DELETE,
        [
          'audit workpaper*',
          'workpaper*',
          'accounting record*',
          'financial record*',
          'invoices',
          'ledger*',
          'evidence',
          'audit record*',
          'audit log*',
          'subpoena*',
          'investigation*',
        ],
      ],
    },
    {
      id: 'sox-806',
      article: 'Section 806 (18 U.S.C. 1514A)',
      title: 'Protection of whistleblowers',
      duty: 'A listed company does not retaliate against an employee who reports what they reasonably believe to be fraud against shareholders.',
      severity: 'high',
      when: [
        ['whistleblow*', 'reported fraud', 'reported concerns', 'raised concerns'],
        ['dismiss*', 'fire', 'fired', 'demot*', 'suspend*', 'retaliat*', 'terminat*'],
      ],
    },
  ],
};

export const GLBA: Regulation = {
  id: 'glba',
  name: 'GLBA',
  citation: 'Gramm-Leach-Bliley Act, 15 U.S.C. 6801 et seq., and the Safeguards Rule, 16 CFR Part 314',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'glba-314-4',
      article: '16 CFR 314.4(c)',
      title: 'Safeguards',
      duty: 'Customer information is guarded by access controls, encryption at rest and in transit, multi-factor authentication, secure disposal and logging of activity.',
      severity: 'high',
      when: [
        [
          'customer information',
          'customer data',
          'customer records',
          'account number*',
          'loan file*',
          'financial information',
          'tax return*',
        ],
        ['encrypt*', 'unencrypted', 'access', 'store*', 'storing', 'email*', 'e-mail*', 'spreadsheet*', 'password*', 'dispos*', 'cloud'],
      ],
    },
    {
      id: 'glba-314-4-f',
      article: '16 CFR 314.4(f)',
      title: 'Service providers',
      duty: 'Service providers are chosen for their ability to keep appropriate safeguards, bound to them by contract and assessed periodically.',
      severity: 'medium',
      when: [VENDOR, ['customer information', 'customer data', 'customer records', 'financial data', 'loan*', 'account data']],
    },
    {
      id: 'glba-6802',
      article: '15 U.S.C. 6802(b)',
      title: 'Sharing with others',
      duty: 'Non-public personal information goes to non-affiliated third parties only after notice and a chance to opt out, or under an exception.',
      severity: 'high',
      when: [
        ['share*', 'sharing', 'sell', 'disclos*', 'marketing partner*', 'affiliate*'],
        ['customer information', 'customer data', 'customer records', 'financial information', 'account data', 'non-public personal'],
      ],
    },
    {
      id: 'glba-314-4-j',
      article: '16 CFR 314.4(j)',
      title: 'Notification of the FTC',
      duty: 'A notification event with unencrypted information of at least 500 consumers is reported to the FTC as soon as possible and within 30 days of discovery.',
      severity: 'high',
      when: [BREACH, ['customer information', 'customer data', 'customer records', 'loan*', 'account number*', 'financial information']],
    },
  ],
};

export const FINRA: Regulation = {
  id: 'finra',
  name: 'FINRA',
  citation: 'FINRA Rules',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'finra-2210',
      article: 'Rule 2210(d)(1)',
      title: 'Communications with the public',
      duty: 'Communications are fair and balanced, give a sound basis to judge, omit nothing material and neither exaggerate nor promise.',
      severity: 'medium',
      when: [
        [
          'guaranteed return*',
          'no risk',
          'risk-free',
          'risk free',
          'investor communication*',
          'retail communication*',
          'social media post*',
          'investment newsletter*',
          'promote*',
        ],
        ['invest*', 'fund*', 'securit*', 'stock*', 'bond*', 'return*'],
      ],
    },
    {
      id: 'finra-3110',
      article: 'Rule 3110(a) and (b)',
      title: 'Supervision',
      duty: 'A member has a system and written procedures to supervise its business and people, including review of transactions and correspondence by a registered principal.',
      severity: 'medium',
      when: [
        ['broker*', 'registered representative*', 'financial advisor*', 'trading desk', 'correspondence'],
        ['supervis*', 'review*', 'unsupervised', 'without review', 'approv*', 'automat*', 'ai'],
      ],
    },
    {
      id: 'finra-4511',
      article: 'Rule 4511(b) and (c)',
      title: 'Books and records',
      duty: 'Books and records without another period are kept for six years, in a form that meets SEC Rule 17a-4.',
      severity: 'medium',
      when: [
        ['broker-dealer*', 'broker dealer*', 'trade record*', 'order ticket*', 'trade confirmation*', 'business communication*'],
        ['keep', 'kept', 'retain*', 'retention', 'archive*', 'delet*', 'record*', 'store*'],
      ],
    },
  ],
};

export const SEC_17A4: Regulation = {
  id: 'sec-17a-4',
  name: 'SEC Rule 17a-4',
  citation: 'Securities Exchange Act Rule 17a-4, 17 CFR 240.17a-4',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'sec-17a-4-f',
      article: '17 CFR 240.17a-4(f)(2)',
      title: 'Electronic records',
      duty: 'Electronic records are kept so that they cannot be rewritten or erased, or with a complete time-stamped audit trail from which the original can be recreated.',
      severity: 'high',
      when: [
        [
          'broker-dealer*',
          'broker dealer*',
          'trade record*',
          'order record*',
          'trading communication*',
          'trade blotter*',
          'off-channel',
          'whatsapp',
        ],
        ['electronic*', 'store*', 'archive*', 'delet*', 'overwrit*', 'worm', 'retention', 'message*', 'records'],
      ],
    },
  ],
};

export const BSA: Regulation = {
  id: 'bsa',
  name: 'Bank Secrecy Act',
  citation: 'Bank Secrecy Act, 31 U.S.C. 5311 et seq., and 31 CFR Chapter X',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'bsa-1010-311',
      article: '31 CFR 1010.311',
      title: 'Currency transaction reports',
      duty: 'A bank files a report of each transaction in currency of more than 10,000 dollars.',
      severity: 'high',
      when: [
        ['cash', 'currency transaction*', 'banknotes'],
        ['deposit*', 'withdraw*', 'payment*', 'transaction*', '10,000', 'exchange*'],
      ],
    },
    {
      id: 'bsa-1020-320',
      article: '31 CFR 1020.320(b)(3)',
      title: 'Suspicious activity reports',
      duty: 'A bank files a suspicious activity report within 30 calendar days of detecting the facts, or 60 where no suspect was identified.',
      severity: 'high',
      when: [
        [
          'suspicious',
          'money laundering',
          'structuring',
          'smurfing',
          'unusual transaction*',
          'unusual payment*',
          'terrorist financing',
          'layering',
        ],
      ],
    },
    {
      id: 'bsa-5318-g',
      article: '31 U.S.C. 5318(g)(2)',
      title: 'Confidentiality of reports',
      duty: 'Nobody involved in a transaction is told that a suspicious activity report was filed.',
      severity: 'high',
      when: [
        ['tell', 'inform', 'notify', 'warn', 'disclos*', 'email', 'call', 'tip off'],
        ['suspicious activity report*', 'sar', 'suspicious activity', 'suspicion'],
        CUSTOMER,
      ],
    },
    {
      id: 'bsa-1020-220',
      article: '31 CFR 1020.220 and 1010.230',
      title: 'Customer identification',
      duty: 'A bank identifies and verifies customers when they open an account, and the beneficial owners of legal entities.',
      severity: 'high',
      when: [
        [
          'account opening',
          'open an account',
          'opens an account',
          'new account*',
          'onboard*',
          'beneficial owner*',
          'kyc',
          'know your customer',
          'shell compan*',
        ],
      ],
    },
  ],
};

export const OFAC: Regulation = {
  id: 'ofac',
  name: 'OFAC sanctions',
  citation: 'Reporting, Procedures and Penalties Regulations, 31 CFR Part 501',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'ofac-501-603',
      article: '31 CFR 501.603',
      title: 'Reports on blocked property',
      duty: 'Property in which a blocked person has an interest is blocked and reported within 10 business days, and all blocked property once a year.',
      severity: 'high',
      when: [
        [
          'sanction*',
          'blocked person*',
          'sdn',
          'specially designated',
          'ofac',
          'embargo*',
          'frozen asset*',
          'name screening',
          'watchlist*',
          'watch list*',
        ],
      ],
    },
    {
      id: 'ofac-501-604',
      article: '31 CFR 501.604',
      title: 'Reports on rejected transactions',
      duty: 'A transaction that is rejected because it would violate sanctions is reported within 10 business days.',
      severity: 'medium',
      when: [
        ['reject*', 'block*', 'stop*', 'return*', 'decline*'],
        ['sanction*', 'sdn', 'ofac', 'embargo*'],
        ['payment*', 'transaction*', 'transfer*', 'wire*'],
      ],
    },
  ],
};

export const ECOA: Regulation = {
  id: 'ecoa',
  name: 'ECOA',
  citation: 'Equal Credit Opportunity Act, Regulation B, 12 CFR Part 1002',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'ecoa-1002-4',
      article: '12 CFR 1002.4(a)',
      title: 'No discrimination',
      duty: 'A creditor does not discriminate against an applicant on a prohibited basis such as race, religion, national origin, sex, marital status or age.',
      severity: 'high',
      when: [
        ['credit', 'loan*', 'mortgage*', 'lending', 'underwrit*'],
        [
          'race',
          'religion',
          'ethnic*',
          'nationality',
          'national origin',
          'sex',
          'gender',
          'marital status',
          'age',
          'zip code*',
          'postcode*',
          'discriminat*',
          'bias*',
        ],
      ],
    },
    {
      id: 'ecoa-1002-9',
      article: '12 CFR 1002.9(a)',
      title: 'Adverse action',
      duty: 'An applicant is notified within 30 days of the decision, and of an adverse one with the specific principal reasons or the right to them.',
      severity: 'high',
      when: [
        ['credit', 'loan*', 'mortgage*', 'credit application*', 'lending'],
        ['reject*', 'declin*', 'denied', 'deny', 'denial*', 'adverse', 'turn down', 'refus*', 'automatically', 'scor*'],
      ],
    },
  ],
};

export const FCRA: Regulation = {
  id: 'fcra',
  name: 'FCRA',
  citation: 'Fair Credit Reporting Act, 15 U.S.C. 1681 et seq.',
  jurisdictions: ['US'],
  kind: 'law',
  obligations: [
    {
      id: 'fcra-1681b',
      article: '15 U.S.C. 1681b',
      title: 'Permissible purpose',
      duty: 'A consumer report is obtained and used only for a permissible purpose, and for employment only with the written consent of the person.',
      severity: 'high',
      when: [['credit report*', 'consumer report*', 'background check*', 'credit bureau*', 'credit check*', 'tenant screening']],
    },
    {
      id: 'fcra-1681m',
      article: '15 U.S.C. 1681m(a)',
      title: 'Notice of adverse action',
      duty: 'Whoever takes adverse action because of a consumer report tells the consumer, names the agency and states the right to a copy and to dispute.',
      severity: 'high',
      when: [
        ['credit report*', 'consumer report*', 'background check*', 'credit score*', 'credit check*'],
        ['reject*', 'declin*', 'denied', 'deny', 'adverse', 'refus*', 'higher rate*', 'not hire*'],
      ],
    },
  ],
};
