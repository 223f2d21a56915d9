import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits; the database keeps their hash alone. */
export function createInvitationToken(): { token: string; hash: Uint8Array } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: sha256(token) };
}

/** The digest by which the database knows a token; null for text that is no token. */
export function hashInvitationToken(token: string): Uint8Array | null {
  return TOKEN.test(token) ? sha256(token) : null;
}

const sha256 = (token: string) => createHash('sha256').update(token).digest();
