import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { renderSVG } from 'uqr';

/** RFC 6238 with what every authenticator app takes: SHA-1, six digits, steps of 30 seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226, 4: at least 128 bits, and 160 recommended. */
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** RFC 4648, 6, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The reverse, of what `base32` has written. */
export function readBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** The time step of this code, that of `now` or one beside it, since clocks differ; null: it is of none. A step is taken once by who asks. */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | null {
  const present = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  const given = Buffer.from(code.padEnd(DIGITS).slice(0, DIGITS + 1));
  // All three are compared, whichever matches.
  const found = [present, present - 1, present + 1].filter((step) => {
    const right = Buffer.from(codeOf(secret, step));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  return found[0] ?? null;
}

/** RFC 4226, 5.3. */
function codeOf(secret: Uint8Array, step: number): string {
  if (step < 0) return '';
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const sum = createHmac('sha1', secret).update(counter).digest();
  const number = sum.readUInt32BE((sum.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The picture that authenticator apps scan, as a data address of an SVG. */
export function totpPicture(secret: Uint8Array, email: string): string {
  const asked = new URLSearchParams({ secret: base32(secret), issuer: 'Quorate' });
  const svg = renderSVG(`otpauth://totp/${encodeURIComponent(`Quorate:${email}`)}?${asked}`, { border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
