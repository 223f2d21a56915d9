import { setTimeout as pause } from 'node:timers/promises';
import type { BenchWorkspace, Workflow } from '#tests/bench/bench-workspace.ts';

export type RunFigures = {
  runs: number;
  failed: number;
  stepsPerMinute: number;
  startP95: number;
  startP50: number;
  wholeP95: number;
  wholeP50: number;
  wholeP99: number;
  unfinished: number;
};

const TEXT = 'Please review: invoice 2026-118 of the northern branch, approved by the board on Friday, is due in ten days.';
const inputOf = (n: number) => ({ text: `${TEXT} (${n})`, amount: n % 100 });
const DRAIN_MS = 30_000;

/** The three steps of the claim: a call of a built-in MCP tool, a branch, a transform. */
export const THREE_STEPS = {
  input: [
    { name: 'text', title: 'Text', type: 'longtext' },
    { name: 'amount', title: 'Amount', type: 'number' },
  ],
  steps: [
    {
      id: 'scan',
      name: 'Look for personal data',
      kind: 'tool',
      connection: 'quorate-tools',
      capability: 'detect_personal_data',
      input: { text: '=input.text' },
    },
    {
      id: 'size',
      name: 'By amount',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'large',
          when: '=input.amount > 50',
          steps: [
            {
              id: 'large_note',
              name: 'Note',
              kind: 'transform',
              expression: '{ "size": "large", "findings": $count(steps.scan.findings) }',
            },
          ],
        },
        {
          label: 'small',
          when: '',
          steps: [
            {
              id: 'small_note',
              name: 'Note',
              kind: 'transform',
              expression: '{ "size": "small", "findings": $count(steps.scan.findings) }',
            },
          ],
        },
      ],
    },
  ],
};

/** As many runs as go through, with a bounded number open at once. */
export async function sustain(bench: BenchWorkspace, workflow: Workflow, seconds: number): Promise<RunFigures> {
  const began = new Date();
  const until = performance.now() + seconds * 1_000;
  let started = 0;
  const open = { count: 0 };
  const watching = (async () => {
    while (performance.now() < until) {
      open.count = await countOpen(bench, workflow);
      await pause(100);
    }
  })();
  const lanes = Array.from({ length: 6 }, async () => {
    while (performance.now() < until) {
      if (open.count > 150) {
        await pause(20);
        continue;
      }
      open.count += 1;
      started += 1;
      await bench.start(workflow, inputOf(started));
    }
  });
  await Promise.all([...lanes, watching]);
  const end = new Date();
  const figures = await figuresOf(bench, workflow, began, end);
  await drain(bench, workflow);
  return figures;
}

/** A fixed rate offered, whether the last run has ended or not. A start that is refused counts as failed. */
export async function offer(bench: BenchWorkspace, workflow: Workflow, perSecond: number, seconds: number): Promise<RunFigures> {
  const began = new Date();
  const from = performance.now();
  const pending = new Set<Promise<unknown>>();
  let refused = 0;
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const wait = from + (n * 1_000) / perSecond - performance.now();
    if (wait > 1) await pause(wait);
    const one: Promise<unknown> = bench.start(workflow, inputOf(n)).then(
      () => pending.delete(one),
      () => {
        refused += 1;
        pending.delete(one);
      },
    );
    pending.add(one);
  }
  await Promise.all(pending);
  await drain(bench, workflow);
  const figures = await figuresOf(bench, workflow, began, new Date());
  return { ...figures, failed: figures.failed + refused };
}

/** All at once; answers how long until the last had ended, and the most calls under way at one time. */
export async function burst(bench: BenchWorkspace, workflow: Workflow, count: number): Promise<RunFigures & { allDoneMs: number }> {
  const began = new Date();
  const from = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < count) {
        next += 1;
        await bench.start(workflow, inputOf(next));
      }
    }),
  );
  await drain(bench, workflow);
  const allDoneMs = performance.now() - from;
  return { ...(await figuresOf(bench, workflow, began, new Date())), allDoneMs };
}

async function countOpen(bench: BenchWorkspace, workflow: Workflow): Promise<number> {
  const { rows } = await bench.owner.query(
    `select count(*)::int as open from quorate.runs where workspace_id = $1 and artifact_id = $2 and status in ('pending', 'processing', 'waiting')`,
    [bench.workspaceId, workflow.artifactId],
  );
  return rows[0].open;
}

async function drain(bench: BenchWorkspace, workflow: Workflow): Promise<void> {
  const deadline = performance.now() + DRAIN_MS;
  while ((await countOpen(bench, workflow)) > 0 && performance.now() < deadline) await pause(50);
}

/** By the database's clock alone: from the row of the run to the start of its first step, and to its end. */
async function figuresOf(bench: BenchWorkspace, workflow: Workflow, from: Date, to: Date): Promise<RunFigures> {
  const { rows } = await bench.owner.query(
    `with r as (select * from quorate.runs where artifact_id = $1 and created_at between $2 and $3),
      d as (select id, status, finished_at, extract(epoch from finished_at - created_at) * 1000 as whole, extract(epoch from (select min(s.started_at) from quorate.steps s where s.run_id = r.id) - created_at) * 1000 as start from r)
    select count(*) filter (where status = 'completed' and finished_at <= $3)::int as runs, count(*) filter (where status = 'failed')::int as failed, count(*) filter (where finished_at is null)::int as unfinished,
      (select count(*) from quorate.steps s join r on r.id = s.run_id where s.status = 'success' and s.finished_at <= $3)::int as steps,
      percentile_cont(0.5) within group (order by start) as start50, percentile_cont(0.95) within group (order by start) as start95,
      percentile_cont(0.5) within group (order by whole) as whole50, percentile_cont(0.95) within group (order by whole) as whole95, percentile_cont(0.99) within group (order by whole) as whole99 from d`,
    [workflow.artifactId, from, to],
  );
  const [row] = rows;
  const minutes = (to.getTime() - from.getTime()) / 60_000;
  return {
    runs: row.runs,
    failed: row.failed,
    unfinished: row.unfinished,
    stepsPerMinute: row.steps / minutes,
    startP50: row.start50,
    startP95: row.start95,
    wholeP50: row.whole50,
    wholeP95: row.whole95,
    wholeP99: row.whole99,
  };
}
