import type { Bundle } from '#app/features/audit/verifier/bundle.ts';
import type { Head } from '#app/features/audit/verifier/merkle.ts';
import type { VerifyOptions } from '#app/features/audit/verifier/options.ts';
import type { Policy } from '#app/features/audit/verifier/policy.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';
import type { KeyRing } from '#app/features/audit/verifier/succession.ts';
import { type Cosigned, readCosignatures } from '#app/features/audit/verifier/witnesses.ts';

export const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Returns the cosignatures of each checkpoint. Without a policy nobody says whose they would have to be. */
export async function verifyWitnesses(
  { checkpoints, events }: Bundle,
  heads: readonly Head[],
  { policy, ring }: { policy: Policy | null; ring: KeyRing },
  say: Say,
): Promise<Cosigned[]> {
  const read = await Promise.all(checkpoints.map(({ note }) => readCosignatures(note, policy, ring.name)));
  const cosigned = read.filter((one) => one !== null);
  if (cosigned.length < read.length) {
    say('signaturesUnsupported', 'unknown');
    return [];
  }
  for (const [n, { forged }] of cosigned.entries())
    for (const witness of forged) say('cosignatureForged', 'failed', { size: heads[n]?.size ?? 0, witness });
  if (policy === null) {
    if (cosigned.some((one) => one.others > 0)) say('witnessesNotPinned', 'unknown');
    return cosigned;
  }
  if (policy.witnesses.size === 0) return cosigned;
  const best = cosigned.findLastIndex(({ signed }) => policy.isMet(signed));
  const [head, by] = [heads[best], cosigned[best]];
  if (head === undefined || by === undefined) {
    say('notWitnessed', 'unknown', { size: heads.at(-1)?.size ?? 0 });
    return cosigned;
  }
  say('witnessed', 'ok', { size: head.size, signers: by.signed.size, at: isoOf(by.seconds ?? 0) });
  const last = Math.max(-1, ...events.map((event) => event.leafIndex));
  if (last >= head.size) say('witnessedInPart', 'unknown', { size: head.size, index: last });
  return cosigned;
}

export async function verifyStamps(
  { checkpoints }: Bundle,
  heads: readonly Head[],
  check: VerifyOptions['checkStamp'],
  say: Say,
): Promise<void> {
  const stamped = checkpoints.flatMap(({ note, stamp }, n) => (stamp === null ? [] : [{ note, stamp, size: heads[n]?.size ?? 0 }]));
  if (check === undefined) {
    if (stamped.length > 0) say('stampNotChecked', 'unknown');
    return;
  }
  for (const { note, stamp, size } of stamped) {
    const at = await check(stamp, note.slice(0, note.lastIndexOf('\n\n') + 1));
    if (at === null) say('stampForged', 'failed', { size });
    else say('stamped', 'ok', { size, at: at.toISOString() });
  }
}
