import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Log } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

/** Events of the log that one statement reads. */
const EVENTS_AT_ONCE = 200;
/** Pause while there is nothing more to read: with it, a text is found within about a second. */
const IDLE_MS = 1_000;
/** While there is more, pauses are this many times as long as the work: taking texts costs at most a tenth of one core. */
const REST = 9;
const LONGEST_PAUSE_MS = 10_000;

/** `asApp`: a transaction as the application itself, for the instance-wide list. */
type RunTextDeps = { asApp<T>(work: (db: Db) => Promise<T>): Promise<T>; log: Log };

/**
 * Takes the texts of runs that the log names, for search, until stopped. It follows the log, so that starting and ending a run costs no
 * statement more. Any number of processes may run it: one at a time reads on.
 */
export function startRunTexts({ asApp, log }: RunTextDeps): { stop(): Promise<void> } {
  return repeat({
    firstMs: IDLE_MS,
    async work() {
      const started = performance.now();
      const more = await indexRunTexts(asApp);
      return more ? (performance.now() - started) * REST : IDLE_MS;
    },
    failed(error, failures) {
      log.error('texts of runs wait for search', { error, failures });
      return Math.min(LONGEST_PAUSE_MS, IDLE_MS * 2 ** failures);
    },
  });
}

/** Reads the next events. Returns whether there are more. */
export async function indexRunTexts(asApp: RunTextDeps['asApp']): Promise<boolean> {
  const { rows } = await asApp((db) => sql<{ more: boolean }>`select quorate.index_run_texts(${EVENTS_AT_ONCE}) as more`.execute(db));
  return rows[0]?.more === true;
}
