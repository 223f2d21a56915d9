import { hex } from '#app/domain/audit/audit-leaf.ts';
import { checkpointText, type TreeHead } from '#app/domain/audit/checkpoint.ts';
import { fromBase64, type VerifierKey } from '#app/domain/proof/verifier-key.ts';

/** A line that a witness has signed under a head: when, in seconds since 1970, and the 64 bytes of its signature. */
export type Cosignature = { line: string; seconds: number; signature: Uint8Array };

/** The message that a witness signs, after c2sp.org/tlog-cosignature with Ed25519: the time, and the text of the head. */
export function cosignedText(head: TreeHead, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${checkpointText(head)}`;
}

/** The line of this witness among the lines of an answer. Null: there is none that has its name, its key and its form. */
export function findCosignature(lines: string, key: VerifierKey): Cosignature | null {
  for (const line of lines.split('\n')) {
    const [, name, encoded = ''] = /^\u2014 (\S+) ([A-Za-z0-9+/=]{1,200})$/u.exec(line) ?? [];
    const bytes = name === key.name ? fromBase64(encoded) : null;
    if (bytes?.length !== 76 || hex(bytes.subarray(0, 4)) !== key.id) continue;
    const seconds = Number(new DataView(bytes.buffer).getBigUint64(4));
    if (Number.isSafeInteger(seconds)) return { line, seconds, signature: bytes.slice(12) };
  }
  return null;
}
