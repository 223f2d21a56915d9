import type { TreeHead } from '#app/domain/audit/checkpoint.ts';
import { fromBase64 } from '#app/domain/proof/verifier-key.ts';

/** The head that the text of a note states; who signed it is not looked at. Null: it is no checkpoint. */
export function readHead(note: string): TreeHead | null {
  const [origin = '', size = '', encoded = '', blank] = note.split('\n');
  const root = fromBase64(encoded);
  if (origin === '' || blank !== '' || !/^(?:0|[1-9]\d{0,15})$/.test(size) || root?.length !== 32) return null;
  return Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root } : null;
}
