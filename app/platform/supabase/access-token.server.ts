import { createHash } from 'node:crypto';
import { type CompactVerifyGetKey, compactVerify, decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';

/** The claims of a verified access token. `expiresAt` is in seconds since 1970; `assurance` is aal2 once a second factor was shown. */
export type AccessTokenClaims = { userId: string; email: string; sessionId: string; expiresAt: number; assurance: 'aal1' | 'aal2' };

/**
 * How tokens of this backend are checked. `shared-secret`: the embedded service signs HS256 with the instance's secret.
 * `jwks`: a hosted project publishes its keys; where it still signs with a secret that we do not hold, it is asked.
 */
export type AccessTokenKeys =
  | { kind: 'shared-secret'; secret: string }
  | { kind: 'jwks'; keySet: CompactVerifyGetKey; askService: (token: string) => Promise<boolean> };

export type AccessTokenVerifier = (token: string) => Promise<AccessTokenClaims | null>;

/** The algorithms that Supabase signs with. A token that names another is refused (RFC 8725, section 3.1). */
const PUBLISHED_ALGORITHMS = ['ES256', 'RS256', 'EdDSA'];
/** These errors of jose mean that the keys cannot be had; all others mean that the token is bad. */
const KEYS_UNREACHABLE = new Set([errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code]);
const CLOCK_SKEW_SECONDS = 5;
const REMEMBERED_TOKENS = 2_000;
const MAX_TOKEN_LENGTH = 16_384;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Checks tokens without a call to the auth service: algorithm, signature, audience, issuer, expiry (RFC 8725). Whether the session still
 * stands is asked inside the member's transaction. Returns null for anything that is no valid token; throws only when the keys cannot be
 * had, because then nobody may be called anonymous.
 * @param issuer expected `iss`; null where the service writes none (the embedded one)
 */
export function createAccessTokenVerifier(options: {
  keys: AccessTokenKeys;
  issuer: string | null;
  now?: () => number;
}): AccessTokenVerifier {
  const now = options.now ?? Date.now;
  const { keys, issuer } = options;
  const secret = keys.kind === 'shared-secret' ? new TextEncoder().encode(keys.secret) : null;
  // The bytes that were found genuine: a second look at the same token need not compute the signature again.
  const genuine = new LRUCache<string, true>({ max: REMEMBERED_TOKENS });

  async function isGenuine(token: string, payload: JWTPayload): Promise<boolean> {
    const { alg, kid } = decodeProtectedHeader(token);
    if (secret !== null) return isSigned(() => compactVerify(token, secret, { algorithms: ['HS256'] }));
    if (keys.kind !== 'jwks') return false;
    if (alg === 'HS256') return keys.askService(token);
    // Only a service that signs with a secret may omit the issuer: asked about a token, it vouches for it itself.
    if (typeof kid !== 'string' || payload.iss !== issuer) return false;
    return isSigned(() => compactVerify(token, keys.keySet, { algorithms: PUBLISHED_ALGORITHMS }));
  }

  return async (token) => {
    const payload = readPayload(token);
    const claims = payload && readClaims(payload, issuer, Math.floor(now() / 1000));
    if (payload === null || claims === null) return null;
    const fingerprint = createHash('sha256').update(token).digest('base64');
    if (!genuine.has(fingerprint)) {
      if (!(await isGenuine(token, payload))) return null;
      genuine.set(fingerprint, true);
    }
    return claims;
  };
}

/** The token's claims before anything is verified; null for text that is no token. */
function readPayload(token: string): JWTPayload | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    return decodeJwt(token);
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

async function isSigned(verify: () => Promise<unknown>): Promise<boolean> {
  try {
    await verify();
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError && !KEYS_UNREACHABLE.has(error.code)) return false;
    throw error;
  }
}

function readClaims(payload: JWTPayload, issuer: string | null, nowSeconds: number): AccessTokenClaims | null {
  const { sub, email, session_id: sessionId, exp, nbf, aud, iss, role, aal, is_anonymous: isAnonymous } = payload;
  if (typeof sub !== 'string' || !UUID.test(sub) || typeof sessionId !== 'string' || !UUID.test(sessionId)) return null;
  if (typeof exp !== 'number' || exp <= nowSeconds) return null;
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf > nowSeconds + CLOCK_SKEW_SECONDS)) return null;
  if (aud !== 'authenticated' && !(Array.isArray(aud) && aud.includes('authenticated'))) return null;
  if (iss !== undefined && iss !== issuer) return null;
  if (role !== 'authenticated' || isAnonymous === true || typeof email !== 'string' || email === '') return null;
  return {
    userId: sub.toLowerCase(),
    email,
    sessionId: sessionId.toLowerCase(),
    expiresAt: exp,
    assurance: aal === 'aal2' ? 'aal2' : 'aal1',
  };
}
