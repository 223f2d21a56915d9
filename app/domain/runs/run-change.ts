import { RUN_STATUSES, type RunStatus } from '#app/domain/statuses.ts';

/** A change of a run: its present status, `journal` (a step, nothing of the run itself), or `unknown` (read it). */
export type RunChange = RunStatus | 'journal' | 'unknown';

export type RunChanges = ReadonlyMap<string, RunChange>;

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
