import type { AuthFailure } from '#app/features/auth/auth-client.ts';

/**
 * What a failure of the auth service means to the person. The service's own message is never shown: it is English, and it says more
 * than a stranger should learn. Codes: supabase/auth, internal/api/apierrors/errorcode.go.
 */
export type FailureGroup =
  | 'wrongDetails'
  | 'taken'
  | 'password'
  | 'link'
  | 'session'
  | 'tooMany'
  | 'secondFactor'
  | 'closed'
  | 'unavailable'
  | 'other';

const GROUPS: Record<Exclude<FailureGroup, 'other'>, readonly string[]> = {
  wrongDetails: ['invalid_credentials', 'user_not_found', 'email_not_confirmed', 'phone_not_confirmed'],
  taken: ['user_already_exists', 'email_exists', 'identity_already_exists', 'conflict'],
  password: [
    'weak_password',
    'same_password',
    'current_password_required',
    'current_password_invalid',
    'reauthentication_needed',
    'reauthentication_not_valid',
    'validation_failed',
  ],
  link: [
    'otp_expired',
    'otp_disabled',
    'flow_state_not_found',
    'flow_state_expired',
    'flow_state_already_used',
    'bad_code_verifier',
    'invite_not_found',
    'pkce_code_verifier_not_found',
    'access_denied',
  ],
  session: ['session_not_found', 'session_expired', 'refresh_token_not_found', 'refresh_token_already_used', 'bad_jwt', 'no_authorization'],
  tooMany: ['over_request_rate_limit', 'over_email_send_rate_limit', 'over_sms_send_rate_limit'],
  secondFactor: [
    'insufficient_aal',
    'mfa_verification_failed',
    'mfa_verification_rejected',
    'mfa_challenge_expired',
    'mfa_factor_not_found',
    'mfa_factor_name_conflict',
    'too_many_enrolled_mfa_factors',
    'mfa_ip_address_mismatch',
    'mfa_verified_factor_exists',
    'mfa_totp_enroll_not_enabled',
    'mfa_totp_verify_not_enabled',
  ],
  closed: [
    'signup_disabled',
    'email_provider_disabled',
    'provider_disabled',
    'email_address_not_authorized',
    'email_address_invalid',
    'user_banned',
    'user_sso_managed',
    'captcha_failed',
    'feature_disabled',
  ],
  unavailable: ['request_timeout', 'hook_timeout', 'hook_timeout_after_retry', 'unexpected_failure'],
};

const GROUP_OF_CODE = new Map(
  Object.entries(GROUPS).flatMap(([group, codes]) => codes.map((code) => [code, group as FailureGroup] as const)),
);

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
  unavailable: 'failure.unavailable',
  other: 'failure.other',
} as const satisfies Record<FailureGroup, string>;

/** Keys of the namespace `validation` for what is wrong with a new password, one line a reason. */
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
