import type { LogKeyPair, LogSigner } from '#app/contracts/ports.ts';
import { checkpointNote, signatureLine, type TreeHead, vkey } from '#app/domain/audit/checkpoint.ts';
import type { Sha256 } from '#app/domain/audit/merkle.ts';

/** First line of a succession. It stands where a checkpoint has its origin, and no size follows: neither can be taken for the other. */
const FORM = 'quorate-succession/1';

/** That `next` follows `before` as the key of this log, a note that both have signed: whoever trusts one can go on to the other. */
export function successionNote(name: string, before: LogKeyPair, next: LogKeyPair, sha256: Sha256): string {
  const text = `${FORM}\n${vkey(name, before.publicKey, sha256)}\n${vkey(name, next.publicKey, sha256)}\n`;
  return `${text}\n${[before, next].map((key) => signatureLine(text, { name, ...key }, sha256)).join('')}`;
}

/**
 * How many keys came before the one that signed this note of a head; null: none of this instance's, or it states another head. Signing is
 * deterministic (RFC 8032): signing again gives the same signature. What others signed may follow.
 */
export function signedBy(note: string, head: TreeHead, signer: LogSigner, sha256: Sha256): number | null {
  const keys = [...signer.older, signer];
  const index = keys.findLastIndex(({ publicKey, sign }) =>
    note.startsWith(checkpointNote(head, { name: signer.name, publicKey, sign }, sha256)),
  );
  return index < 0 ? null : index;
}
