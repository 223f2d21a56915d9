import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Family } from '#app/domain/metrics/exposition.ts';

/** Of the sessions of a pool: how many there are, how many nobody uses, and how many callers wait for one. */
export type PoolState = { pool: string; total: number; idle: number; waiting: number };

const NS_PER_SECOND = 1e9;
const RESOLUTION_MS = 20;
const PERCENTILES = [50, 95, 99] as const;

/** Looks at this process by the names that Prometheus' own clients use. The delays of the loop are those since they were read last. */
export function watchProcess() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    read(pools: readonly PoolState[]): Family[] {
      // the timer's own pace is no delay; before the first look there is none
      const lagOf = (part: number) =>
        delays.count === 0 ? 0 : Math.max(0, delays.percentile(part) / NS_PER_SECOND - RESOLUTION_MS / 1_000);
      const lags = PERCENTILES.map((part) =>
        one(`nodejs_eventloop_lag_p${part}_seconds`, 'gauge', 'Delay of the main thread since the last look.', lagOf(part)),
      );
      delays.reset();
      return [...describeProcess(), ...lags, describePools(pools)];
    },
    stop: () => void delays.disable(),
  };
}

const one = (name: string, type: Family['type'], help: string, value: number): Family => ({ name, type, help, samples: [{ value }] });

function describeProcess(): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    one('process_cpu_seconds_total', 'counter', 'Processor time of the process.', (user + system) / 1e6),
    one('process_resident_memory_bytes', 'gauge', 'Memory of the process.', rss),
    one('process_start_time_seconds', 'gauge', 'When the process began, in seconds since 1970.', Date.now() / 1_000 - process.uptime()),
    one('nodejs_heap_size_used_bytes', 'gauge', 'Heap of the main thread.', heapUsed),
  ];
}

function describePools(pools: readonly PoolState[]): Family {
  const samples = pools.flatMap(({ pool, total, idle, waiting }) => [
    { labels: { pool, state: 'used' }, value: total - idle },
    { labels: { pool, state: 'idle' }, value: idle },
    { labels: { pool, state: 'awaited' }, value: waiting },
  ]);
  return { name: 'quorate_database_sessions', type: 'gauge', help: 'Sessions at the database, and callers that wait for one.', samples };
}
