import type { Log } from '#app/contracts/ports.ts';
import { createMarkWatcher, type MarkWatcher } from '#app/engine/jobs/mark-watcher.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 2_000;

/** Tells the streams of clients that a gateway has another list of tools, or is for others. */
export function createGatewayWatcher({ statement, log }: { statement: Statement; log: Log }): MarkWatcher<{ id: string }> {
  return createMarkWatcher({
    name: 'gateways',
    log,
    intervalMs: INTERVAL_MS,
    keyOf: ({ id }) => id,
    async readMarks(gateways) {
      const { rows } = await statement({
        name: 'q_gateways',
        text: 'select gateway_id, mark from quorate.list_gateway_marks($1)',
        values: [gateways.map(({ id }) => id)],
      });
      return new Map((rows as { gateway_id: string; mark: string }[]).map((row) => [row.gateway_id, row.mark]));
    },
  });
}
