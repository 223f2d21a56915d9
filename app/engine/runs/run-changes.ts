import type { Log } from '#app/domain/ports.ts';
import type { RunRef } from '#app/domain/run-queue.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 400;

/** Tells who watches a run that it has changed. One statement an interval for all that are watched, none when nobody watches. */
export type RunWatcher = { watch(run: RunRef, onChange: () => void): () => void; stop(): void };

export function createRunWatcher({
  statement,
  log,
  intervalMs = INTERVAL_MS,
}: {
  statement: Statement;
  log: Log;
  intervalMs?: number;
}): RunWatcher {
  const watched = new Map<string, { run: RunRef; mark: string | null; listeners: Set<() => void> }>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const entries = [...watched.values()];
      const { rows } = await statement({
        name: 'q_changes',
        text: 'select run_id, mark from quorate.list_run_marks($1, $2)',
        values: [entries.map((entry) => entry.run.workspaceId), entries.map((entry) => entry.run.runId)],
      });
      for (const row of rows as { run_id: string; mark: string }[]) {
        const entry = watched.get(row.run_id);
        if (entry === undefined || entry.mark === row.mark) continue;
        // The first mark counts as a change: what happened between a page's reading and this look is nowhere else to be seen.
        entry.mark = row.mark;
        for (const listener of entry.listeners) listener();
      }
    } catch (error) {
      log.warn('watched runs not read', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
    } finally {
      looking = false;
    }
  }

  return {
    watch(run, onChange) {
      const entry = watched.get(run.runId) ?? { run, mark: null, listeners: new Set() };
      entry.listeners.add(onChange);
      watched.set(run.runId, entry);
      timer ??= setInterval(() => void look(), intervalMs).unref();
      return () => {
        entry.listeners.delete(onChange);
        if (entry.listeners.size === 0) watched.delete(run.runId);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      watched.clear();
    },
  };
}
