import { setTimeout as pause } from 'node:timers/promises';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';
import { sureTimeOf } from '#tests/bench/screens-load.ts';
import { signIn } from '#tests/survival/support/person.ts';

const STEPS_A_MINUTE = 20_000;
const PAGE_LIMIT_MS = 150;
const END_WITHIN_MS = 180_000;

/** As many items as the list has, each one call of a built-in tool. */
const LOOP = {
  input: [{ name: 'count', title: 'Count', type: 'number' }],
  steps: [
    {
      id: 'lines',
      name: 'Lines',
      kind: 'for_each',
      items: '=[1..input.count]',
      atOnce: 20,
      collect: '=$count(steps.scan.findings)',
      branches: [
        {
          label: 'each',
          steps: [
            {
              id: 'scan',
              name: 'Look for personal data',
              kind: 'tool',
              connection: 'quorate-tools',
              capability: 'detect_personal_data',
              input: { text: '="Please review invoice " & $string(item) & " of the northern branch."' },
            },
          ],
        },
      ],
    },
  ],
};

/**
 * One run whose loop calls a tool once for each of many items, by the database's clock from its first call to the end of its last; then the page of that
 * run as a builder opens it. As in every other figure a step is a row of the journal that succeeded: an item, and its call.
 */
export async function measureLoops(
  origin: string,
  bench: BenchWorkspace,
  account: { email: string; password: string },
  { items, samples }: { items: number; samples: number },
): Promise<Line[]> {
  const workflow = await bench.addWorkflow(LOOP);
  const runId = await bench.start(workflow, { count: items });
  const end = performance.now() + END_WITHIN_MS;
  for (;;) {
    const { rows } = await bench.owner.query('select status from quorate.runs where id = $1', [runId]);
    if (rows[0].status === 'completed') break;
    if (rows[0].status === 'failed' || performance.now() > end) throw new Error(`the loop is ${rows[0].status}`);
    await pause(200);
  }
  const { rows } = await bench.owner.query(
    `select count(*) filter (where status = 'success')::int as steps, count(*) filter (where kind = 'tool' and status = 'success')::int as calls,
      extract(epoch from max(finished_at) - min(started_at))::float8 / 60 as minutes from quorate.steps where run_id = $1`,
    [runId],
  );
  const { steps, calls, minutes } = rows[0];
  await bench.owner.query('vacuum analyze');
  const person = await signIn(origin, account);
  await (await person.get(`/dashboard?workspace=${bench.workspaceId}`)).body?.cancel();
  return [
    {
      what: `steps a minute of a loop over ${items.toLocaleString('en')} items`,
      value: steps / minutes,
      unit: '',
      limit: STEPS_A_MINUTE,
      better: 'more',
    },
    { what: '  calls of the tool a minute', value: calls / minutes, unit: '', limit: null, better: 'more' },
    {
      what: '  page of its run, p95',
      value: await sureTimeOf(person, `/dashboard/runs/${runId}`, samples),
      unit: 'ms',
      limit: PAGE_LIMIT_MS,
      better: 'less',
    },
  ];
}
