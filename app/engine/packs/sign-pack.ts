import type { LogSigner } from '#app/contracts/ports.ts';
import { checkpointOrigin, signatureLine } from '#app/domain/audit/checkpoint.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';

/** First line of a pack's signature. A checkpoint has its size in the second line, where this has the log: neither can be taken for the other. */
const FORM = 'quorate-pack/1';

/** A note (c2sp.org/signed-note) in which the log's key signs the digest of a pack, 64 hex digits. @throws RangeError on anything else */
export function packNote(signer: Pick<LogSigner, 'name' | 'publicKey' | 'sign'>, workspaceId: string, digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new RangeError('a pack is signed by its SHA-256 digest');
  const text = `${FORM}\n${checkpointOrigin(signer.name, workspaceId)}\n${digest}\n`;
  return `${text}\n${signatureLine(text, signer, sha256)}`;
}
