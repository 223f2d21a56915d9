/** Codes of an authenticator app (RFC 6238: 30 s, six digits, SHA-1), so that a real app works with the mock. */
import { createHmac, randomBytes } from 'node:crypto';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const totpStep = (at: Date) => Math.floor(at.getTime() / STEP_MS);

/** A secret as apps take it: base32 (RFC 4648, section 6). */
export function newTotpSecret(): string {
  return Array.from(randomBytes(32), (byte) => ALPHABET[byte % 32]).join('');
}

export function totpCode(secret: string, step: number): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
