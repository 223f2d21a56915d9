/**
 * The error codes of the auth service, in groups that share a sentence. Codes: supabase/auth, internal/api/apierrors/errorcode.go, and
 * those that supabase-js makes itself.
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
  | 'passkey'
  | 'passkeyDoubted'
  | 'unavailable'
  | 'other';

const GROUPS: Record<Exclude<FailureGroup, 'other'>, readonly string[]> = {
  wrongDetails: [
    'invalid_credentials',
    'user_not_found',
    'email_not_confirmed',
    'phone_not_confirmed',
    'provider_email_needs_verification',
  ],
  taken: ['user_already_exists', 'email_exists', 'phone_exists', 'identity_already_exists', 'conflict'],
  password: [
    'weak_password',
    'same_password',
    'current_password_required',
    'current_password_invalid',
    'reauthentication_needed',
    'reauthentication_not_valid',
    'reauth_nonce_missing',
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
    'bad_oauth_state',
    'bad_oauth_callback',
    'oauth_invalid_state',
    'oauth_client_state_not_found',
    'oauth_client_state_expired',
    'saml_relay_state_not_found',
    'saml_relay_state_expired',
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
    'mfa_phone_enroll_not_enabled',
    'mfa_phone_verify_not_enabled',
    'mfa_webauthn_enroll_not_enabled',
    'mfa_webauthn_verify_not_enabled',
    'mfa_recovery_codes_enroll_not_enabled',
    'mfa_recovery_codes_verify_not_enabled',
    'mfa_recovery_codes_locked',
    'mfa_recovery_codes_sole_factor',
    'webauthn_challenge_expired',
    'webauthn_challenge_not_found',
    'webauthn_credential_not_found',
    'webauthn_credential_exists',
    'webauthn_verification_failed',
    'too_many_passkeys',
  ],
  closed: [
    'signup_disabled',
    'email_provider_disabled',
    'phone_provider_disabled',
    'provider_disabled',
    'anonymous_provider_disabled',
    'web3_provider_disabled',
    'saml_provider_disabled',
    'sso_provider_disabled',
    'sso_provider_not_found',
    'oauth_provider_not_supported',
    'oauth_dynamic_client_registration_disabled',
    'manual_linking_disabled',
    'email_address_not_authorized',
    'email_address_invalid',
    'email_address_not_provided',
    'user_banned',
    'user_sso_managed',
    'captcha_failed',
    'feature_disabled',
    'passkey_disabled',
  ],
  // Of ours alone.
  passkey: [],
  passkeyDoubted: [],
  unavailable: [
    'request_timeout',
    'hook_timeout',
    'hook_timeout_after_retry',
    'hook_payload_over_size_limit',
    'hook_payload_invalid_content_type',
    'unexpected_failure',
    'sms_send_failed',
    'saml_metadata_fetch_failed',
  ],
};

/** Our own faults, or wrong settings, which nobody at the screen can fix: they get a reference. */
const FAULTS: readonly string[] = [
  'unknown',
  'bad_json',
  'not_admin',
  'unexpected_audience',
  'single_identity_not_deletable',
  'email_conflict_identity_not_deletable',
  'identity_not_found',
  'saml_idp_not_found',
  'saml_idp_already_exists',
  'saml_assertion_no_user_id',
  'saml_assertion_no_email',
  'saml_entity_id_mismatch',
  'sso_domain_already_exists',
  'web3_unsupported_chain',
  'oauth_client_not_found',
  'oauth_authorization_not_found',
  'oauth_consent_not_found',
];

export const GROUP_OF_CODE: ReadonlyMap<string, FailureGroup> = new Map<string, FailureGroup>([
  ...Object.entries(GROUPS).flatMap(([group, codes]) => codes.map((code) => [code, group as FailureGroup] as const)),
  ...FAULTS.map((code) => [code, 'other'] as const),
]);
