import { createPublicKey, verify } from 'node:crypto';
import { type LogKey, signaturesOf } from '#app/witness/read-request.ts';

/** Whether this key signed the text of the note. */
export function isSigned({ note, text }: { note: string; text: string }, key: LogKey): boolean {
  const mine = signaturesOf(note, [key]).split('\n').filter(Boolean);
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey.toString('base64url') } });
  return mine.some((line) => {
    const bytes = Buffer.from(line.slice(line.lastIndexOf(' ') + 1), 'base64');
    return bytes.length === 68 && verify(null, Buffer.from(text), publicKey, bytes.subarray(4));
  });
}
