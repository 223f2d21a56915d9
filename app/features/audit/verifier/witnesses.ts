import { fromBase64, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { signatureHolds } from '#app/features/audit/verifier/keys.ts';
import type { Policy } from '#app/features/audit/verifier/policy.ts';

/**
 * Who signed a checkpoint with the log. `signed`: names in the policy; `forged`: of those, whose signature does not hold; `seconds`: when the
 * first of them signed, by its own clock; `others`: lines of whoever the policy does not name.
 */
export type Cosigned = { signed: Set<string>; forged: string[]; seconds: number | null; others: number };

/** The cosignatures of a note (c2sp.org/tlog-cosignature, Ed25519) by the witnesses of a policy. Null: this browser has no Ed25519. */
export async function readCosignatures(note: string, policy: Policy | null, logName: string): Promise<Cosigned | null> {
  const at = note.lastIndexOf('\n\n');
  const text = note.slice(0, at + 1);
  const found: Cosigned = { signed: new Set(), forged: [], seconds: null, others: 0 };
  for (const line of note.slice(at + 2).split('\n')) {
    const [, name, encoded] = /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
    if (name === undefined || encoded === undefined) continue;
    const bytes = fromBase64(encoded);
    const id = toHex(bytes.slice(0, 4));
    const [pinned, key] = [...(policy?.witnesses ?? [])].find(([, one]) => one.name === name && one.id === id) ?? [];
    if (pinned === undefined || key === undefined) {
      if (name !== logName) found.others += 1;
      continue;
    }
    const seconds = bytes.length === 76 ? Number(new DataView(bytes.buffer).getBigUint64(4)) : 0;
    const message = utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
    const holds = seconds > 0 && (await signatureHolds(key.publicKey, bytes.slice(12), message));
    if (holds === null) return null;
    if (!holds) found.forged.push(pinned);
    else {
      found.signed.add(pinned);
      found.seconds = Math.min(found.seconds ?? seconds, seconds);
    }
  }
  return found;
}
