import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits; the database keeps their hash alone. */
export function createInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database knows a token by; null for text that is no token. */
export function hashInvitationToken(token: string): Uint8Array | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}
