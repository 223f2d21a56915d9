import type { Bundle } from '#app/features/audit/verifier/bundle.ts';
import { fromBase64, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { type Key, readKey, signatureHolds } from '#app/features/audit/verifier/keys.ts';
import { type Head, provesConsistency } from '#app/features/audit/verifier/merkle.ts';
import type { Policy } from '#app/features/audit/verifier/policy.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

export async function chooseKey(claimed: string, pinned: string | null, say: Say): Promise<Key> {
  if (pinned === null) {
    say('keyNotPinned', 'unknown', { key: claimed });
    return await readKey(claimed);
  }
  const same = pinned.trim() === claimed;
  say(same ? 'keyPinned' : 'keyDiffers', same ? 'ok' : 'failed', { pinned: pinned.trim(), found: claimed });
  return await readKey(pinned.trim());
}

/** The key of the policy that is the log's, or the one that it is not. */
export const pinnedBy = (policy: Policy | null, claimed: string) =>
  policy === null ? null : (policy.logs.find((one) => one === claimed) ?? policy.logs[0] ?? null);

export async function verifyCheckpoints(bundle: Bundle, key: Key, say: Say): Promise<Head[]> {
  const heads: Head[] = [];
  for (const checkpoint of bundle.checkpoints) heads.push(await verifyNote(checkpoint.note, key, say, 'checkpointForged'));
  const newest = heads.at(-1);
  for (const [n, head] of heads.entries()) {
    if (head.origin !== bundle.origin || !head.origin.startsWith(`${key.name}/`))
      say('checkpointOtherLog', 'failed', { size: head.size, origin: head.origin });
    if (newest === undefined || head === newest) continue;
    const proof = bundle.checkpoints[n]?.consistency ?? [];
    const consistent = await provesConsistency(head, newest, proof);
    say(consistent ? 'historyConsistent' : 'historyRewritten', consistent ? 'ok' : 'failed', { first: head.size, second: newest.size });
  }
  return heads;
}

/** Returns the head that a note states, whether its signature holds or not: what else is wrong shall be said too. */
export async function verifyNote(note: string, key: Key, say: Say, forged: 'checkpointForged' | 'receivedForged'): Promise<Head> {
  const at = note.lastIndexOf('\n\n');
  if (at < 0 || !note.endsWith('\n')) throw new Error('checkpoint: not a signed note');
  const text = note.slice(0, at + 1);
  const [origin, size, root, ...rest] = text.split('\n');
  if (
    origin === undefined ||
    origin === '' ||
    size === undefined ||
    !/^(0|[1-9]\d{0,15})$/.test(size) ||
    root === undefined ||
    rest[0] !== ''
  )
    throw new Error('checkpoint: not of the form origin, size, root');
  const head = { origin, size: Number(size), root: fromBase64(root) };
  if (head.root.length !== 32) throw new Error('checkpoint: the root has not 32 bytes');

  const signatures = note
    .slice(at + 2, -1)
    .split('\n')
    .map((line) => /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/u.exec(line))
    .filter((line) => line !== null && line[1] === key.name)
    .map((line) => fromBase64(line?.[2] ?? ''))
    .filter((bytes) => toHex(bytes.slice(0, 4)) === key.id);
  const results = await Promise.all(signatures.map((bytes) => signatureHolds(key.publicKey, bytes.slice(4), utf8(text))));
  if (results.includes(null)) say('signaturesUnsupported', 'unknown', { size: head.size });
  else if (results.length === 0 || results.includes(false)) say(forged, 'failed', { size: head.size, key: key.name });
  else if (forged === 'checkpointForged') say('checkpointSigned', 'ok', { size: head.size, origin });
  return head;
}
