import { setTimeout as pause } from 'node:timers/promises';
import type { BenchWorkspace, Workflow } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';

const DRAIN_WITHIN_MS = 300_000;
const WARM_MS = 3_000;

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

/**
 * Steps a minute of one workspace with `backlog` runs queued, once with the places of the fair order and once with one place for all, which
 * the queue then serves by age. The two take turns, and the best of each counts: what else the machine does harms both.
 */
export async function measureCostOfOrder(bench: BenchWorkspace, workflow: Workflow, backlog: number, seconds: number): Promise<Line[]> {
  const rates = { fair: 0, plain: 0 };
  for (const order of ['plain', 'fair', 'fair', 'plain', 'plain', 'fair'] as const)
    rates[order] = Math.max(rates[order], await stepsAMinute(bench, workflow, { backlog, seconds, order }));
  return [
    {
      what: `steps a minute of ${backlog.toLocaleString('en')} queued, in fair order`,
      value: rates.fair,
      unit: '',
      limit: null,
      better: 'more',
    },
    { what: '  by age alone', value: rates.plain, unit: '', limit: null, better: 'more' },
    { what: '  lost by the fair order', value: Math.max(0, 100 * (1 - rates.fair / rates.plain)), unit: '%', limit: 5, better: 'less' },
  ];
}

/** The backlog is made while its workspace is halted, so that both orders begin with the whole of it. */
async function stepsAMinute(
  bench: BenchWorkspace,
  workflow: Workflow,
  { backlog, seconds, order }: { backlog: number; seconds: number; order: 'fair' | 'plain' },
): Promise<number> {
  const halt = (at: Date | null) =>
    bench.arrange(async (client) => {
      await client.query('update quorate.workspaces set halted_at = $2, halt_reason = $3 where id = $1', [
        bench.workspaceId,
        at,
        at === null ? null : 'bench',
      ]);
    });
  await halt(new Date());
  await bench.queueBacklog(workflow, backlog, new Date(Date.now() + 3_600_000));
  await halt(null);
  await bench.owner.query(
    `update pgboss.job set start_after = now(), priority = case when $2 then priority else 0 end
      where state = 'created' and data ->> 'workspaceId' = $1`,
    [bench.workspaceId, order === 'fair'],
  );
  await pause(WARM_MS);
  const began = performance.now();
  const before = await countSteps(bench);
  await pause(seconds * 1_000);
  const done = (await countSteps(bench)) - before;
  const took = performance.now() - began;
  await bench.dropBacklog();
  while ((await countOpen(bench)) > 0) await pause(200);
  return (done * 60_000) / took;
}

async function countSteps(bench: BenchWorkspace): Promise<number> {
  const { rows } = await bench.owner.query(
    `select count(*)::int as steps from quorate.steps where workspace_id = $1 and status = 'success'`,
    [bench.workspaceId],
  );
  return rows[0].steps;
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
