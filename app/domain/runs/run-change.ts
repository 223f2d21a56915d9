import type { RunChange, RunEnd } from '#app/contracts/runs.ts';
import { RUN_STATUSES } from '#app/contracts/statuses.ts';

export type RunChanges = ReadonlyMap<string, RunChange>;
export type RunEnds = ReadonlyMap<string, RunEnd>;

const WORDS: ReadonlySet<string> = new Set([...RUN_STATUSES, 'journal', 'unknown']);

/** Two changes of one run told as one: a status outlives a step, the newer status the older. */
export function mergeChange(earlier: RunChange | undefined, later: RunChange): RunChange {
  return later === 'journal' && earlier !== undefined ? earlier : later;
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
