import { hex } from '#app/domain/audit/audit-leaf.ts';
import type { Sha256 } from '#app/domain/audit/merkle.ts';

/** Signature types of c2sp.org/signed-note: of a log, and of a witness (c2sp.org/tlog-cosignature), both by Ed25519. */
export const LOG_SIGNATURE = 0x01;
export const COSIGNATURE = 0x04;

/** `id`: four bytes in hex, which signature lines begin with. `publicKey`: 32 bytes of Ed25519. */
export type VerifierKey = { name: string; id: string; type: typeof LOG_SIGNATURE | typeof COSIGNATURE; publicKey: Uint8Array };

/** A key as one pins it, `<name>+<id, hex>+<base64 of type and key>`. Null: it is none, of another kind, or its id is not its own. */
export function readVerifierKey(text: string, sha256: Sha256): VerifierKey | null {
  const [, name, id, encoded] = /^([^\s+]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text) ?? [];
  if (name === undefined || id === undefined || encoded === undefined) return null;
  const bytes = fromBase64(encoded);
  const type = bytes?.[0];
  if (bytes === null || bytes.length !== 33 || (type !== LOG_SIGNATURE && type !== COSIGNATURE)) return null;
  const head = new TextEncoder().encode(`${name}\n`);
  const digest = sha256(new Uint8Array([...head, ...bytes]));
  return hex(digest.subarray(0, 4)) === id ? { name, id, type, publicKey: bytes.slice(1) } : null;
}

/** Null: not base64, or not in its one spelling. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
