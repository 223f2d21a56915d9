import { COMPANY_FAILURES } from '#app/contracts/company-sign-in.ts';

/** Everything for which a sign-in by a provider ends without a session; the words are in the namespace `auth`. */
export const COMPANY_REFUSALS = [
  ...COMPANY_FAILURES,
  'off',
  'ended',
  'no_email',
  'other_account',
  'other_subject',
  'second_factor',
  'tooMany',
  'setup',
] as const;
export type CompanyRefusal = (typeof COMPANY_REFUSALS)[number];

export const COMPANY_TEXT = {
  state: 'company.failed.state',
  issuer: 'company.failed.issuer',
  code: 'company.failed.code',
  denied: 'company.failed.denied',
  token: 'company.failed.token',
  nonce: 'company.failed.token',
  unreachable: 'company.failed.unreachable',
  configuration: 'company.failed.configuration',
  audience: 'company.failed.audience',
  time: 'company.failed.time',
  replayed: 'company.failed.replayed',
  unsolicited: 'company.failed.unsolicited',
  encrypted: 'company.failed.encrypted',
  nameId: 'company.failed.nameId',
  relay: 'company.failed.relay',
  off: 'company.failed.off',
  ended: 'company.failed.ended',
  no_email: 'company.failed.noEmail',
  other_account: 'company.failed.otherAccount',
  other_subject: 'company.failed.otherSubject',
  second_factor: 'company.failed.secondFactor',
  tooMany: 'company.failed.tooMany',
  setup: 'company.failed.setup',
} as const satisfies Record<CompanyRefusal, string>;

export function readRefusal(value: string | null): CompanyRefusal | null {
  return COMPANY_REFUSALS.find((known) => known === value) ?? null;
}
