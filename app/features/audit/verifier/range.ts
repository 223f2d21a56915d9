import { type EventClaim, MOST_EVENTS, type RangeClaim } from '#app/features/audit/verifier/bundle.ts';
import type { Head } from '#app/features/audit/verifier/merkle.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

/**
 * A bundle of a stretch of the log claims every place in it: an event that is not there was dropped. A stretch that does not reach from the
 * first entry to the checkpoint proves nothing of the rest, so the file has to say that it is a part, and of how many entries.
 */
export function verifyRange(range: RangeClaim, events: readonly EventClaim[], newest: Head, say: Say): void {
  if (range.of !== null && range.of !== newest.size) throw new Error('range.of: not the size of the log');
  const values = { from: range.from, to: Math.max(range.from, range.to - 1), size: newest.size };
  const reachesAll = range.from === 0 && range.to >= newest.size;
  if (range.to <= range.from || (!reachesAll && range.of === null)) say('restMissing', 'unknown', values);
  else if (!reachesAll) say('partOfLog', 'ok', values);
  if (range.to <= range.from) return;
  const present = new Set(events.map((event) => event.leafIndex));
  let dropped = 0;
  if (range.to - range.from > MOST_EVENTS) throw new Error('range: too long');
  for (let index = range.from; index < range.to; index++) {
    if (present.has(index)) continue;
    dropped += 1;
    say('eventDropped', 'failed', { index });
  }
  if (dropped === 0) say('rangeComplete', 'ok', { from: range.from, to: range.to - 1, count: range.to - range.from });
}
