import { HttpResponse } from 'msw';

/** An answer that is no success, as the auth service and the data API word it. Codes: supabase/auth, internal/api/apierrors/errorcode.go. */
export class MockRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: Record<string, unknown>;

  /** By name: a refusal of the project's state, which stays, is one for handlers that were read again, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'MockRefusal';
  }

  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.name = 'MockRefusal';
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

const API_VERSION_HEADER = 'X-Supabase-Api-Version';

/** The body has the code in `code` since the version of 2024, and in `error_code` before. */
export function refusalResponse(refusal: MockRefusal, request: Request): Response {
  if (!new URL(request.url).pathname.startsWith('/auth/')) {
    const { status, code, message, more } = refusal;
    return HttpResponse.json({ code, message, details: null, hint: null, ...more }, { status });
  }
  const version = request.headers.get(API_VERSION_HEADER);
  const body =
    version === null
      ? { code: refusal.status, error_code: refusal.code, msg: refusal.message, ...refusal.more }
      : { code: refusal.code, message: refusal.message, ...refusal.more };
  return HttpResponse.json(body, { status: refusal.status, headers: version === null ? {} : { [API_VERSION_HEADER]: '2024-01-01' } });
}

export const refusals = {
  invalidCredentials: () => new MockRefusal(400, 'invalid_credentials', 'Invalid login credentials'),
  notConfirmed: () => new MockRefusal(400, 'email_not_confirmed', 'Email not confirmed'),
  weakPassword: (reasons: readonly string[], minimum: number) =>
    new MockRefusal(422, 'weak_password', `Password should be at least ${minimum} characters.`, { weak_password: { reasons } }),
  linkOver: () => new MockRefusal(403, 'otp_expired', 'Token has expired or is invalid'),
  sessionMissing: () => new MockRefusal(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  noAuthorization: () => new MockRefusal(401, 'no_authorization', 'This endpoint requires a Bearer token'),
  badToken: () => new MockRefusal(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature'),
  invalid: (message: string) => new MockRefusal(400, 'validation_failed', message),
  tooManyMails: (seconds: number) =>
    new MockRefusal(429, 'over_email_send_rate_limit', `For security purposes, you can only request this after ${seconds} seconds.`),
  tooManyRequests: () => new MockRefusal(429, 'over_request_rate_limit', 'Request rate limit reached'),
  userMissing: () => new MockRefusal(404, 'user_not_found', 'User not found'),
  factorMissing: () => new MockRefusal(404, 'mfa_factor_not_found', 'Factor not found'),
} as const;
