/** The keys of a project that signs asymmetrically: the private one here, the public one in its JWKS. */
import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import type { MockSession, MockUser } from '#tests/mocks/mock-types.ts';

export type TokenSigner = ReturnType<typeof createTokenSigner>;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const OPTIONS = { dsaEncoding: 'ieee-p1363' } as const;

/** @param issuer the project's address with `/auth/v1` */
export function createTokenSigner(issuer: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const kid = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig', key_ops: ['verify'], ext: true };

  function signClaims(claims: Record<string, unknown>): string {
    const signed = `${part({ alg: 'ES256', typ: 'JWT', kid })}.${part(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, ...OPTIONS }).toString('base64url')}`;
  }

  return {
    jwks: { keys: [jwk] },
    signClaims,
    accessToken(user: MockUser, session: MockSession, now: Date, seconds: number): string {
      const issued = Math.floor(now.getTime() / 1000);
      return signClaims({
        iss: issuer,
        sub: user.id,
        aud: 'authenticated',
        role: 'authenticated',
        email: user.email,
        phone: '',
        app_metadata: user.appMetadata,
        user_metadata: user.userMetadata,
        session_id: session.id,
        aal: session.assurance,
        amr: session.methods.map((method) => ({ method, timestamp: issued })),
        is_anonymous: false,
        iat: issued,
        exp: issued + seconds,
      });
    },
    /** The claims of a token that this project has signed and that has not ended; else null. */
    verified(token: string, now: Date): Record<string, unknown> | null {
      const [head, body, signature] = token.split('.');
      if (head === undefined || body === undefined || signature === undefined) return null;
      const genuine = verify('sha256', Buffer.from(`${head}.${body}`), { key: publicKey, ...OPTIONS }, Buffer.from(signature, 'base64url'));
      if (!genuine) return null;
      const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      return typeof claims.exp === 'number' && claims.exp * 1000 > now.getTime() ? claims : null;
    },
  };
}
