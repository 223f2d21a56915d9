import {
  createHash,
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify as verifySignature,
} from 'node:crypto';

/** What a verified access token says. `expiresAt` is in seconds since 1970; `assurance` is aal2 once a second factor was shown. */
export type AccessTokenClaims = { userId: string; email: string; sessionId: string; expiresAt: number; assurance: 'aal1' | 'aal2' };

/**
 * How tokens of this backend are checked. `shared-secret`: the embedded service signs HS256 with the instance's secret.
 * `jwks`: a hosted project publishes its keys; where it still signs with a secret that we do not hold, it is asked.
 */
export type AccessTokenKeys =
  | { kind: 'shared-secret'; secret: string }
  | { kind: 'jwks'; fetchKeys: () => Promise<readonly JsonWebKey[]>; askService: (token: string) => Promise<boolean> };

export type AccessTokenVerifier = (token: string) => Promise<AccessTokenClaims | null>;

/** Product specification, section 9. */
const JWKS_TTL_MS = 10 * 60_000;
/** An unknown key id makes us fetch again, but not more often than this: a forged id must not become a flood. */
const JWKS_RETRY_MS = 30_000;
const CLOCK_SKEW_SECONDS = 5;
const REMEMBERED_TOKENS = 2_000;
const MAX_TOKEN_LENGTH = 16_384;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Parts = { header: Record<string, unknown>; payload: Record<string, unknown>; signed: string; signature: Buffer };

/**
 * Checks tokens without a call to the auth service: algorithm, signature, audience, issuer, expiry (RFC 8725). Whether the session still
 * stands is asked inside the member's transaction. Answers null for anything that is no valid token; throws only when
 * the keys cannot be had, because then nobody may be called anonymous.
 * @param issuer expected `iss`; null where the service writes none (the embedded one)
 */
export function createAccessTokenVerifier(options: {
  keys: AccessTokenKeys;
  issuer: string | null;
  now?: () => number;
}): AccessTokenVerifier {
  const now = options.now ?? Date.now;
  const published = options.keys.kind === 'jwks' ? createKeyCache(options.keys.fetchKeys, now) : null;
  // The bytes that were found genuine: a second look at the same token need not compute the signature again.
  const genuine = new Map<string, true>();

  async function isGenuine(token: string, parts: Parts): Promise<boolean> {
    const { alg, kid } = parts.header;
    if (options.keys.kind === 'shared-secret') return alg === 'HS256' && matchesHmac(parts, options.keys.secret);
    if (alg === 'HS256') return options.keys.askService(token);
    if (published === null || typeof kid !== 'string') return false;
    const key = await published(kid);
    // Only a service that signs with a secret may leave the issuer out: there, it vouches for the token itself.
    return key !== null && parts.payload.iss === options.issuer && matchesKey(parts, alg, key);
  }

  return async (token) => {
    const parts = parseToken(token);
    if (parts === null) return null;
    const claims = readClaims(parts.payload, options.issuer, Math.floor(now() / 1000));
    if (claims === null) return null;
    const fingerprint = createHash('sha256').update(token).digest('base64');
    if (!genuine.has(fingerprint)) {
      if (!(await isGenuine(token, parts))) return null;
      const oldest = genuine.keys().next();
      if (genuine.size >= REMEMBERED_TOKENS && !oldest.done) genuine.delete(oldest.value);
      genuine.set(fingerprint, true);
    }
    return claims;
  };
}

function parseToken(token: string): Parts | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const [head, body, tail, ...rest] = token.split('.');
  if (head === undefined || body === undefined || tail === undefined || rest.length > 0) return null;
  const header = parseObject(head);
  const payload = parseObject(body);
  // `crit` names extensions that must be understood; we understand none (RFC 7515, section 4.1.11)
  if (header === null || payload === null || 'crit' in header) return null;
  return { header, payload, signed: `${head}.${body}`, signature: Buffer.from(tail, 'base64url') };
}

function parseObject(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function readClaims(payload: Record<string, unknown>, issuer: string | null, nowSeconds: number): AccessTokenClaims | null {
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

function matchesHmac(parts: Parts, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(parts.signed).digest();
  return parts.signature.length === expected.length && timingSafeEqual(parts.signature, expected);
}

/** The algorithm must be the one of the key, or a public key could be taken for an HMAC secret. */
function matchesKey(parts: Parts, alg: unknown, key: KeyObject): boolean {
  const data = Buffer.from(parts.signed);
  if (alg === 'ES256' && key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') {
    return verifySignature('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, parts.signature);
  }
  if (alg === 'RS256' && key.asymmetricKeyType === 'rsa') return verifySignature('sha256', data, key, parts.signature);
  if (alg === 'EdDSA' && key.asymmetricKeyType === 'ed25519') return verifySignature(null, data, key, parts.signature);
  return false;
}

function createKeyCache(fetchKeys: () => Promise<readonly JsonWebKey[]>, now: () => number): (kid: string) => Promise<KeyObject | null> {
  let keys = new Map<string, KeyObject>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | null = null;

  async function load(): Promise<void> {
    const fresh = new Map<string, KeyObject>();
    for (const jwk of await fetchKeys()) {
      if (typeof jwk.kid !== 'string' || jwk.kty === 'oct') continue;
      fresh.set(jwk.kid, createPublicKey({ key: jwk, format: 'jwk' }));
    }
    keys = fresh;
    fetchedAt = now();
  }

  return async (kid) => {
    const age = now() - fetchedAt;
    if (age > JWKS_TTL_MS || (!keys.has(kid) && age > JWKS_RETRY_MS)) {
      underway ??= load().finally(() => {
        underway = null;
      });
      await underway;
    }
    return keys.get(kid) ?? null;
  };
}
