import type { Bundle } from '#app/features/audit/verifier/bundle.ts';
import { type Bytes, sameBytes } from '#app/features/audit/verifier/bytes.ts';
import { type SignedHead, verifyNote } from '#app/features/audit/verifier/checkpoints.ts';
import type { SoundEvent } from '#app/features/audit/verifier/events.ts';
import { rootOf } from '#app/features/audit/verifier/merkle.ts';
import type { Policy } from '#app/features/audit/verifier/policy.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';
import type { KeyRing } from '#app/features/audit/verifier/succession.ts';
import { isoOf } from '#app/features/audit/verifier/watchers.ts';
import { type Cosigned, readCosignatures } from '#app/features/audit/verifier/witnesses.ts';

type Received = {
  bundle: Bundle;
  heads: readonly SignedHead[];
  ring: KeyRing;
  policy: Policy | null;
  sound: readonly SoundEvent[];
  cosigned: readonly Cosigned[];
};

/** Clocks of instances and witnesses may differ by so much. */
const CLOCKS_DIFFER_S = 300;

/** A checkpoint from elsewhere: the log must contain it, unless the file is older than it. */
export async function verifyReceived(note: string | null, read: Received, say: Say): Promise<void> {
  if (note === null) return;
  const { heads, ring, policy, sound, cosigned } = read;
  const text = `${note.replaceAll('\r\n', '\n').trimEnd()}\n`;
  const received = await verifyNote(text, ring, say, 'receivedForged');
  const newest = heads.at(-1);
  const root = heads.find((head) => head.size === received.size)?.root ?? (await rootAt(received.size, read));
  const values = { size: received.size };
  if (newest !== undefined && received.by > newest.by && received.size <= newest.size) say('keyWentBack', 'failed', { size: newest.size });
  if (newest === undefined || received.origin !== newest.origin)
    say('checkpointOtherLog', 'failed', { ...values, origin: received.origin });
  else if (root !== null)
    say(sameBytes(root, received.root) ? 'receivedMatches' : 'receivedDiffers', sameBytes(root, received.root) ? 'ok' : 'failed', values);
  else if (received.size <= newest.size) say('receivedNotCovered', 'unknown', values);
  else {
    const seconds = (await readCosignatures(text, policy, ring.name))?.seconds ?? null;
    const file = [...sound.map(({ event }) => Date.parse(event.at) / 1000), ...cosigned.map((one) => one.seconds ?? 0)];
    const at = Math.max(0, ...file);
    // Without a time that somebody else has signed a shorter log may be an older one.
    if (seconds === null) say('receivedNotCovered', 'unknown', values);
    else if (at > seconds + CLOCKS_DIFFER_S)
      say('logWentBack', 'failed', { ...values, found: newest.size, at: isoOf(seconds), later: isoOf(at) });
    else say('olderFile', 'unknown', { ...values, found: newest.size, at: isoOf(seconds) });
  }
}

/** The root of the first entries, where the file has all of them; null where it has not. */
async function rootAt(size: number, { bundle, sound }: Received): Promise<Bytes | null> {
  if (bundle.range?.from !== 0 || size > bundle.range.to) return null;
  const leaves = new Map(sound.map(({ event, leaf }) => [event.leafIndex, leaf]));
  const first = Array.from({ length: size }, (_, index) => leaves.get(index)).filter((leaf) => leaf !== undefined);
  return first.length === size ? await rootOf(first) : null;
}
