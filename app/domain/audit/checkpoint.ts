import type { Sha256 } from '#app/domain/audit/merkle.ts';

/** Signature type of Ed25519 in https://c2sp.org/signed-note. */
const ED25519 = 0x01;

/** The head of a workspace's log: how many leaves, and their root. */
export type TreeHead = { origin: string; size: number; root: Uint8Array };

/** First line of a workspace's checkpoints. One key signs for the instance; the origin tells its logs apart. */
export function checkpointOrigin(signerName: string, workspaceId: string): string {
  return `${signerName}/${workspaceId}`;
}

/** The text that is signed, after https://c2sp.org/tlog-checkpoint: origin, size, root in base64, each with a newline. */
export function checkpointText(head: TreeHead): string {
  return `${head.origin}\n${head.size}\n${base64(head.root)}\n`;
}

/** A signed note: the text, a blank line, and the instance's signature line. `sign` gets the UTF-8 of the text. */
export function checkpointNote(
  head: TreeHead,
  signer: { name: string; publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array },
  sha256: Sha256,
): string {
  const text = checkpointText(head);
  return `${text}\n${signatureLine(text, signer, sha256)}`;
}

/** The line of c2sp.org/signed-note by which this key signs a text. */
export function signatureLine(
  text: string,
  signer: { name: string; publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array },
  sha256: Sha256,
): string {
  const signature = signer.sign(new TextEncoder().encode(text));
  return `— ${signer.name} ${base64(join(keyId(signer.name, signer.publicKey, sha256), signature))}\n`;
}

/** The public key as one pins it: `<name>+<key id, hex>+<base64 of type and key>` (the encoding of the Go note tools). */
export function vkey(name: string, publicKey: Uint8Array, sha256: Sha256): string {
  const id = Array.from(keyId(name, publicKey, sha256), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${name}+${id}+${base64(join(new Uint8Array([ED25519]), publicKey))}`;
}

/** First four bytes of SHA-256 over name, newline, signature type, key. A name with a space or a plus would break the line. */
function keyId(name: string, publicKey: Uint8Array, sha256: Sha256): Uint8Array {
  if (name === '' || /[\s+]/u.test(name)) throw new RangeError('the name of a log key has no spaces and no plus');
  if (publicKey.length !== 32) throw new RangeError('an Ed25519 public key has 32 bytes');
  return sha256(join(new TextEncoder().encode(`${name}\n`), new Uint8Array([ED25519]), publicKey)).subarray(0, 4);
}

function join(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
