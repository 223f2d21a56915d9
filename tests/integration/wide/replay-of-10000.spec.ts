/** A replay of 10,000 runs takes under 10 s, and the runs beside it take no longer than a tenth more (decision 70). */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { startReplay } from '#app/engine/commands/policies/start-replay.ts';
import { runNextReplay } from '#app/engine/policy/replay/run-replays.ts';
import { readReplays } from '#app/features/policies/replay/read-replay.server.ts';
import { commandDeps, principalOf } from '#tests/integration/support/policy-in-force.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const RUNS = 10_000;
const LIVE = 300;
const LIMIT_MS = 10_000;
/** Of the runs beside it, the most that their p95 may move. */
const LIMIT_MOVED = 0.1;

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let policy: string;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  await runs.startWorker(async () => ({ output: { said: true }, protocolVersion: '1' }));
  workspace = await runs.makeWorkspace();
  const { slug } = await runs.makeCapability(workspace, { name: 'say' });
  const admin = principalOf(database, runs, workspace, workspace.admin);
  ({ id: policy } = await perform(createPolicy, admin, commandDeps(runs), { name: 'Draft', description: '' }));
  const say = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'say', input: {}, retries: 0 });
  workflow = await runs.makeWorkflow(workspace, { steps: [say('a'), say('b')] });
  const first = await live();
  await multiply(first.id);
}, 120_000);
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

let workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>;

async function live(): Promise<{ id: string; ms: number }> {
  const from = performance.now();
  const id = await runs.start(workspace, workflow, {});
  await runs.until(id, ['completed']);
  return { id, ms: performance.now() - from };
}

/** The past: so many runs like this one, with its decisions, of which one in each run is like no other. */
const multiply = (run: string) =>
  database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, journal_hash)
       select gen_random_uuid(), workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at - n * interval '4 minutes', started_at,
         finished_at, journal_hash from quorate.runs cross join generate_series(1, $2::int) n where id = $1`,
      [run, RUNS - 1],
    );
    await client.query(
      `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest, policy_version, decided_at)
       select gen_random_uuid(), d.workspace_id, r.id, d.step_path, d.attempt, d.action, d.verdict, d.rules, d.reason,
         case d.step_path when 'a' then jsonb_set(d.context, '{findings}', to_jsonb(r.number)) else d.context end, d.action_digest,
         d.policy_version, r.created_at from quorate.decisions d join quorate.runs r on r.workspace_id = d.workspace_id and r.id <> d.run_id
       where d.run_id = $1`,
      [run],
    );
    await client.query('analyze quorate.runs; analyze quorate.decisions');
  });

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

const replay = async () => {
  const id = newId();
  const rule = `@id("a") @verdict("warn") @reason("Live.") forbid(principal, action, resource) when { context.mode == "live" };\n// ${id}\n`;
  const asked = { id, policy, name: 'Draft', text: rule, isDraft: true, days: 30 };
  await perform(startReplay, principalOf(database, runs, workspace, workspace.admin), commandDeps(runs), asked);
  const from = performance.now();
  const { app, asWorker } = database.database;
  await runNextReplay({ asApp: app, asWorker, log: quietLog }, new AbortController().signal);
  return performance.now() - from;
};

test.runIf(process.env.QUORATE_TEST_FULL)('a replay of 10,000 runs in time, and live runs beside it', { timeout: 600_000 }, async () => {
  const timesOf = async (goesOn: () => boolean) => {
    const times: number[] = [];
    while (goesOn()) times.push((await live()).ms);
    return times;
  };
  let warm = 50;
  await timesOf(() => --warm > 0);
  const alone: number[] = [];
  const beside: number[] = [];
  const took: number[] = [];
  // in turn, so that what else the machine does falls on both
  while (beside.length < LIVE) {
    let left = 100;
    alone.push(...(await timesOf(() => --left >= 0)));
    let isOver = false;
    const replaying = replay().then((ms) => {
      isOver = true;
      took.push(ms);
    });
    beside.push(...(await timesOf(() => !isOver)));
    await replaying;
  }
  const [latest] = await principalOf(database, runs, workspace, workspace.admin).read((db) => readReplays(db, policy));
  expect(latest).toMatchObject({ status: 'completed', unreadable: 0 });
  expect(latest?.runs).toBeGreaterThanOrEqual(RUNS);
  const measured = { took: took.map(Math.round), alone: p95(alone), beside: p95(beside), live: [alone.length, beside.length] };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
  expect(Math.max(...took)).toBeLessThan(LIMIT_MS);
  expect(p95(beside)).toBeLessThan(p95(alone) * (1 + LIMIT_MOVED));
});
