/** The figures of this process, and of the instance as its database has them, for Prometheus. */
import type { Log } from '#app/contracts/ports.ts';
import type { Family } from '#app/domain/metrics/exposition.ts';
import { describeRunCounts, type RunCounts } from '#app/domain/metrics/run-counts.ts';
import type { Database } from '#app/platform/database/database.server.ts';
import { watchProcess } from '#app/platform/metrics/process-metrics.ts';

/** A look is answered within this time even if the database does not respond. */
const DATABASE_MS = 3_000;

export type Metrics = { read(): Promise<Family[]>; stop(): void };

/** `readInstance`: the figures that the database has. `counts`: those of the runs of this process; left out where it drives none. */
export function openMetrics({
  pools,
  readInstance,
  counts,
  log,
}: {
  pools: Database['pools'];
  readInstance: () => Promise<Family[]>;
  counts?: () => Promise<RunCounts> | RunCounts;
  log: Pick<Log, 'error'>;
}): Metrics {
  const watched = watchProcess();
  let underWay: Promise<Family[] | null> | undefined;
  /** Looks while a slow one is under way wait for that: they would take the sessions of the workers one by one. */
  const readOnce = () => {
    underWay ??= readInstance()
      .catch((error: unknown) => {
        log.error('the figures of the instance were not read', { error });
        return null;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
  return {
    async read() {
      const [instance, done] = await Promise.all([inTime(readOnce()), counts?.()]);
      const up: Family = {
        name: 'quorate_database_up',
        help: 'Whether the database answered. Without it, the figures of the instance are left out.',
        type: 'gauge',
        samples: [{ value: instance === null ? 0 : 1 }],
      };
      return [up, ...(instance ?? []), ...(done === undefined ? [] : describeRunCounts(done)), ...watched.read(pools())];
    },
    stop: () => watched.stop(),
  };
}

/** Null where the database does not answer in time: a look says so, and never hangs with it. */
async function inTime(reading: Promise<Family[] | null>): Promise<Family[] | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), DATABASE_MS);
  const instance = await Promise.race([reading, late.promise]);
  clearTimeout(timer);
  return instance;
}
