import { type Bytes, fromBase64, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';

export type Key = { name: string; id: string; publicKey: Bytes };

/** `<name>+<id in hex>+<base64 of type and 32 bytes>`; base64 itself may hold a plus. Types: 1 of a log, 4 of a witness. */
export async function readKey(text: string, type: 1 | 4 = 1): Promise<Key> {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  if (name === undefined || id === undefined || encoded === undefined) throw new Error('key: not of the form name+id+base64');
  const bytes = fromBase64(encoded);
  if (bytes.length !== 33 || bytes[0] !== type) throw new Error('key: not an Ed25519 key');
  const digest = await sha256(utf8(`${name}\n`), bytes);
  if (toHex(digest.slice(0, 4)) !== id) throw new Error('key: its id does not belong to it');
  return { name, id, publicKey: bytes.slice(1) };
}

/** Null: this browser has no Ed25519. */
export async function signatureHolds(publicKey: Bytes, signature: Bytes, message: Bytes): Promise<boolean | null> {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, message);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    throw error;
  }
}
