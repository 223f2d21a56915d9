import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const SHOWN_LENGTH = 8;

/** 256 random bits behind a prefix by which leaks are found. */
const TOKEN_SHAPE = /^qd_[A-Za-z0-9_-]{43}$/;

/** A token of provisioning; the database keeps its hash and the first signs to tell it by. */
export function createDirectoryToken(): { secret: string; prefix: string; hash: Uint8Array } {
  const secret = `qd_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), hash: sha256(secret) };
}

/** The digest by which the database knows a token; null for text that is no token. */
export function hashDirectoryToken(token: string): Uint8Array | null {
  return TOKEN_SHAPE.test(token) ? sha256(token) : null;
}

const sha256 = (token: string) => createHash('sha256').update(token).digest();
