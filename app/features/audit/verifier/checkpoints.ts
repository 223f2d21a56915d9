import type { Bundle } from '#app/features/audit/verifier/bundle.ts';
import { fromBase64, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { signatureHolds } from '#app/features/audit/verifier/keys.ts';
import { type Head, provesConsistency } from '#app/features/audit/verifier/merkle.ts';
import type { Policy } from '#app/features/audit/verifier/policy.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';
import { type KeyRing, signaturesBy } from '#app/features/audit/verifier/succession.ts';

/** `by`: place of the key that signed it among those of the ring; of several the newest, of none the first. */
export type SignedHead = Head & { by: number };

/** The key of the policy that is one of the log's, or the one that it is not. */
export const pinnedBy = (policy: Policy | null, known: readonly string[]) =>
  policy === null ? null : (policy.logs.find((one) => known.includes(one)) ?? policy.logs[0] ?? null);

export async function verifyCheckpoints(bundle: Bundle, ring: KeyRing, say: Say): Promise<SignedHead[]> {
  const heads: SignedHead[] = [];
  for (const checkpoint of bundle.checkpoints) heads.push(await verifyNote(checkpoint.note, ring, say, 'checkpointForged'));
  const newest = heads.at(-1);
  for (const [n, head] of heads.entries()) {
    if (head.origin !== bundle.origin || !head.origin.startsWith(`${ring.name}/`))
      say('checkpointOtherLog', 'failed', { size: head.size, origin: head.origin });
    if (newest === undefined || head === newest) continue;
    // A key that another has followed signs nothing more: whoever still does so has stolen it.
    if (head.by > newest.by && head.size <= newest.size) say('keyWentBack', 'failed', { size: newest.size });
    const proof = bundle.checkpoints[n]?.consistency ?? [];
    const consistent = await provesConsistency(head, newest, proof);
    say(consistent ? 'historyConsistent' : 'historyRewritten', consistent ? 'ok' : 'failed', { first: head.size, second: newest.size });
  }
  if (newest !== undefined && newest.by < ring.pinned) say('signedBefore', 'unknown', { size: newest.size });
  return heads;
}

/** Returns the head that a note states, whether its signature holds or not: what else is wrong shall be said too. */
export async function verifyNote(
  note: string,
  ring: KeyRing,
  say: Say,
  forged: 'checkpointForged' | 'receivedForged',
): Promise<SignedHead> {
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

  const lines = note.slice(at + 2, -1);
  const signed = ring.keys.flatMap((key, by) => signaturesBy(lines, key).map((signature) => ({ key, by, signature })));
  const results = await Promise.all(signed.map(({ key, signature }) => signatureHolds(key.publicKey, signature, utf8(text))));
  if (results.includes(null)) say('signaturesUnsupported', 'unknown', { size: head.size });
  else if (results.length === 0 || results.includes(false)) say(forged, 'failed', { size: head.size, key: ring.name });
  else if (forged === 'checkpointForged') say('checkpointSigned', 'ok', { size: head.size, origin });
  return { ...head, by: Math.max(0, ...signed.map(({ by }) => by)) };
}
