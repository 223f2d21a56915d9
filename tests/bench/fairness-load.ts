import { setTimeout as pause } from 'node:timers/promises';
import type { BenchWorkspace, Workflow } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';

const DRAIN_WITHIN_MS = 300_000;

/**
 * One workspace has `backlog` runs queued at once, and another starts a run behind them, again and again until the backlog is
 * done. Times by the database's clock, from the row of a run to the start of its first step.
 */
export async function measureFairness(
  busy: { bench: BenchWorkspace; workflow: Workflow },
  other: { bench: BenchWorkspace; workflow: Workflow },
  backlog: number,
): Promise<Line[]> {
  const began = performance.now();
  await busy.bench.queueBacklog(busy.workflow, backlog);
  const deadline = performance.now() + DRAIN_WITHIN_MS;
  const waits: number[] = [];
  while (performance.now() < deadline) {
    const runId = await other.bench.start(other.workflow, { text: 'behind the backlog', amount: 1 });
    const wait = await firstStepAfterMs(other.bench, runId, deadline);
    if (wait === null) break;
    if ((await countOpen(busy.bench)) === 0) break;
    waits.push(wait);
    await pause(500);
  }
  const left = await countOpen(busy.bench);
  const seconds = (performance.now() - began) / 1_000;
  return [
    {
      what: `start of another workspace's run behind ${backlog.toLocaleString('en')} queued, the longest of ${waits.length}`,
      value: waits.length === 0 ? Number.NaN : Math.max(...waits),
      unit: 'ms',
      limit: 1_000,
      better: 'less',
    },
    { what: '  runs a second of the backlog meanwhile', value: (backlog - left) / seconds, unit: '', limit: null, better: 'more' },
    { what: '  runs of the backlog left', value: left, unit: '', limit: 0, better: 'less' },
  ];
}

async function countOpen(bench: BenchWorkspace): Promise<number> {
  const { rows } = await bench.owner.query(
    `select count(*)::int as open from quorate.runs where workspace_id = $1 and status in ('pending', 'processing', 'waiting')`,
    [bench.workspaceId],
  );
  return rows[0].open;
}

async function firstStepAfterMs(bench: BenchWorkspace, runId: string, deadline: number): Promise<number | null> {
  while (performance.now() < deadline) {
    const { rows } = await bench.owner.query(
      `select extract(epoch from min(s.started_at) - r.created_at)::float8 * 1000 as wait from quorate.runs r join quorate.steps s on s.run_id = r.id where r.id = $1 group by r.created_at`,
      [runId],
    );
    if (rows.length > 0) return rows[0].wait;
    await pause(20);
  }
  return null;
}
