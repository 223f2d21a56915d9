import { sql } from 'kysely';
import type { Log } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';
import { keepWord, type Word } from '#app/engine/proof/keep-word.ts';
import { readWatched, type Watched } from '#app/engine/proof/read-watched.ts';
import { showToWitness } from '#app/engine/proof/show-to-witness.ts';
import { stampHead } from '#app/engine/proof/stamp-head.ts';
import type { WatchDeps } from '#app/engine/proof/watch-deps.ts';

/** Between two looks for a log that is due. */
export const LOOK_MS = 3_000;
const LONGEST_PAUSE_MS = 20_000;
/**
 * One log is shown so often at most, and again where somebody did not sign. A head is signed within a second of its change; together a change
 * has left the instance within a minute.
 */
export const WATCH_EVERY_S = 30;
const RETRY_EVERY_S = 60;

/**
 * Shows new heads of the logs to the witnesses and the authority of their workspaces, again and again until stopped. Nothing waits for an
 * answer but this itself. Several processes share the work.
 */
export function startWatching(deps: WatchDeps): { stop(): Promise<void> } {
  return repeat({
    async work(stopping) {
      while (!stopping.aborted && (await watchNext(deps)));
      return LOOK_MS;
    },
    failed(error, failures) {
      deps.log.error('watching: a log could not be shown to its witnesses', { error, failures });
      return Math.min(LONGEST_PAUSE_MS, LOOK_MS * 2 ** failures);
    },
  });
}

/** One log that is due. False: none is. */
export async function watchNext(deps: WatchDeps): Promise<boolean> {
  const { rows } = await deps.asApp((db) =>
    sql<{ id: string | null }>`
      select quorate.claim_watch(${`${WATCH_EVERY_S} seconds`}::interval, ${`${RETRY_EVERY_S} seconds`}::interval) as id`.execute(db),
  );
  const id = rows[0]?.id ?? null;
  if (id !== null) await watchLog(deps, id);
  return id !== null;
}

/** Shows the newest head of one log to everybody who watches it, at once, and keeps what they answered. */
export async function watchLog(deps: WatchDeps, workspaceId: string): Promise<void> {
  const watched = await deps.asWorker(workspaceId, (db) => readWatched(db, workspaceId));
  if (watched === null) return;
  const words = await Promise.all([
    ...watched.settings.witnesses.map((witness) => showToWitness(deps, watched, witness)),
    ...(watched.settings.authority === null ? [] : [stampHead(deps, watched, watched.settings.authority)]),
  ]);
  for (const word of words) await deps.asWorker(workspaceId, (db) => keepWord(db, deps, watched, word));
  report(deps.log, watched, words);
}

function report(log: Log, { workspaceId }: Watched, words: readonly Word[]): void {
  for (const { party, fault } of words)
    if (fault === 'disagrees') log.error('watching: a witness holds another log than this one', { workspace: workspaceId, witness: party });
    else if (fault !== null) log.warn('watching: a head was not signed', { workspace: workspaceId, party, fault });
}
