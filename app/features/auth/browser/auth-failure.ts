import type { AuthFailure } from '#app/contracts/identity.ts';
import { type FailureGroup, GROUP_OF_CODE } from '#app/features/auth/browser/auth-error-codes.ts';

/** The group of a failure; `other` for codes that are unknown or come later. */
export function failureGroup(failure: AuthFailure): FailureGroup {
  if (isServiceDown(failure)) return 'unavailable';
  const known = failure.code === undefined ? undefined : GROUP_OF_CODE.get(failure.code);
  if (known !== undefined) return known;
  if (failure.name === 'AuthSessionMissingError') return 'session';
  if (failure.name === 'AuthWeakPasswordError') return 'password';
  if (failure.name === 'AuthPKCECodeVerifierMissingError') return 'link';
  return failure.status === 429 ? 'tooMany' : 'other';
}

/** The service could not be reached or broke (network, 5xx): asking again later may help, and nothing was decided. */
export function isServiceDown(failure: AuthFailure): boolean {
  return failure.name === 'AuthRetryableFetchError' || failure.status === 0 || (failure.status !== undefined && failure.status >= 500);
}

/** Key of the namespace `auth` for the sentence of each group. */
export const FAILURE_TEXT = {
  wrongDetails: 'failure.wrongDetails',
  taken: 'failure.other',
  password: 'failure.password',
  link: 'failure.link',
  session: 'failure.session',
  tooMany: 'failure.tooMany',
  secondFactor: 'failure.secondFactor',
  closed: 'failure.closed',
  passkey: 'failure.passkey',
  passkeyDoubted: 'failure.passkeyDoubted',
  unavailable: 'failure.unavailable',
  other: 'failure.other',
} as const satisfies Record<FailureGroup, string>;

/** Keys of the namespace `validation` for the faults of a new password, one line for each. */
export function passwordFaults(
  failure: AuthFailure,
): ('passwordTooShort' | 'passwordTooSimple' | 'passwordLeaked' | 'passwordSame' | 'passwordTooLong' | 'passwordRefused')[] {
  if (failure.code === 'same_password') return ['passwordSame'];
  if (failure.code === 'validation_failed') return ['passwordTooLong'];
  const reasons = failure.reasons ?? [];
  const faults = reasons.flatMap((reason) =>
    reason === 'length'
      ? ['passwordTooShort' as const]
      : reason === 'characters'
        ? ['passwordTooSimple' as const]
        : reason === 'pwned'
          ? ['passwordLeaked' as const]
          : [],
  );
  return faults.length > 0 ? faults : ['passwordRefused'];
}
