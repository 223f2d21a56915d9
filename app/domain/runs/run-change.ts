import type { RunChange, RunEnd } from '#app/contracts/runs.ts';
import { RUN_STATUSES } from '#app/contracts/statuses.ts';

export type RunChanges = ReadonlyMap<string, RunChange>;
export type RunEnds = ReadonlyMap<string, RunEnd>;

const WORDS: ReadonlySet<string> = new Set([...RUN_STATUSES, 'journal', 'text', 'unknown']);

/** Two changes of one run told as one: a step outlives the text that it writes, a status a step, the newer status the older. */
export function mergeChange(earlier: RunChange | undefined, later: RunChange): RunChange {
  if (earlier === undefined || earlier === 'text') return later;
  return later === 'journal' || later === 'text' ? earlier : later;
}

/** Reads `<run> <change>,<run> <change>` as `quorate.announce_runs` notifies it. */
export function parseChanges(payload: string): RunChanges {
  const changes = new Map<string, RunChange>();
  for (const part of payload.split(',')) {
    const [run = '', word = ''] = part.split(' ');
    changes.set(run, mergeChange(changes.get(run), WORDS.has(word) ? (word as RunChange) : 'unknown'));
  }
  return changes;
}
