import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#app/contracts/ports.ts';
import type { RunChange } from '#app/contracts/runs.ts';
import { mergeChange, type RunChanges } from '#app/domain/runs/run-change.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

/** Between two statements: what changes meanwhile goes into one, so that a busy worker sends at most two hundred a second. */
const GAP_MS = 5;
/** Each is some 48 bytes, and a notification holds 8,000. */
const MOST_IN_ONE = 150;

/** Tells other processes of changed runs, of those alone that someone there waits for. One that is lost is found by their next look. */
export function createAnnouncer({ statement, log }: { statement: Statement; log: Log }): {
  announce(changes: RunChanges): void;
  stop(): void;
} {
  const waiting = new Map<string, RunChange>();
  let sending = false;
  let stopped = false;

  async function send(): Promise<void> {
    sending = true;
    while (waiting.size > 0 && !stopped) {
      const batch = [...waiting].slice(0, MOST_IN_ONE);
      for (const [runId] of batch) waiting.delete(runId);
      try {
        await statement({
          name: 'q_announce',
          text: 'select quorate.announce_runs($1, $2)',
          values: [batch.map(([runId]) => runId), batch.map(([, change]) => change)],
        });
      } catch (error) {
        log.warn('changed runs were not announced', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
      }
      await pause(GAP_MS);
    }
    sending = false;
  }

  return {
    announce(changes) {
      for (const [runId, change] of changes) waiting.set(runId, mergeChange(waiting.get(runId), change));
      if (!sending) void send();
    },
    stop() {
      stopped = true;
    },
  };
}
