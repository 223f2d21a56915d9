/** Policies decide by the circumstances of a call: workflow, agent, clock of the workspace, and what its run has called so far. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { configureWorkspace } from '#app/engine/commands/workspaces/configure-workspace.ts';
import type { DecisionResult } from '#app/engine/policy/decision-request.ts';
import { replayPolicies } from '#app/engine/policy/replay-policy.ts';
import { commandDeps, principalOf, putInForce } from '#tests/integration/support/policy-in-force.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  await runs.startWorker(async () => {
    calls += 1;
    return { output: { said: true } satisfies Json, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(async () => {
  calls = 0;
  workspace = await runs.makeWorkspace();
  ({ slug } = await runs.makeCapability(workspace, { name: 'say' }));
});

const say = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'say', input: {}, retries: 0 });
const rule = (condition: string, verdict = 'deny') =>
  `@id("a") @verdict("${verdict}") @reason("Because.") forbid(principal, action, resource) when { ${condition} };`;
const publish = (text: string) => putInForce(database, runs, workspace, { name: 'Circumstances', text });
async function decisionsOf(runId: string) {
  const { rows } = await database.owner.query(
    'select step_path, verdict, context from quorate.decisions where run_id = $1 order by decided_at, id',
    [runId],
  );
  return rows as { step_path: string; verdict: string; context: NonNullable<DecisionResult['context']> }[];
}
const configured = (timeZone: string) =>
  perform(configureWorkspace, principalOf(database, runs, workspace, workspace.admin), commandDeps(runs), {
    ...{ name: 'W', slug: workspace.slug, timeZone, paces: { keys: 100, hooks: 100 }, limits: { runsAtOnce: null, queuedRuns: 1000 } },
    instance: { runs: { runsAtOnce: null, queuedRuns: 1000, queuedInAll: 1000 } },
  });

test('a rule counts the calls of its run, also those before a wait in which another worker took over', async () => {
  await publish(rule('context.callsInRun >= 3'));
  const wait = { id: 'pause', name: 'Pause', kind: 'approval', question: 'Go on?', show: {}, risk: 'low', quorum: 1, dueHours: 1 };
  const loop = {
    id: 'twice',
    name: 'Twice',
    kind: 'for_each',
    items: '=[1, 2]',
    branches: [{ label: 'each', when: '', steps: [say('item_say')] }],
  };
  const workflow = await runs.makeWorkflow(workspace, { steps: [loop, wait, say('third'), say('fourth')] });
  const runId = await runs.start(workspace, workflow, {});
  await runs.until(runId, ['waiting']);
  await runs.approve(workspace, runId);
  await runs.until(runId, ['failed']);
  expect(calls).toBe(3);
  const counted = (await decisionsOf(runId)).map(({ verdict, context }) => [verdict, context.circumstances?.callsInRun]);
  expect(counted.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
    ['allow', 0],
    ['allow', 1],
    ['allow', 2],
    ['deny', 3],
  ]);
});

test('a rule sees whether a payee is new, what its person has called today, and in which groups they are', async () => {
  const pay = (payee: string) => ({ ...say('pay'), input: { payee: `="${payee}"` } });
  const paying = (payee: string) => runs.makeWorkflow(workspace, { steps: [pay(payee)] });
  const run = async (workflow: Awaited<ReturnType<typeof paying>>) => {
    const id = await runs.start(workspace, workflow, {});
    await runs.until(id, ['completed', 'failed', 'waiting']);
    const [decision] = await decisionsOf(id);
    return { id, verdict: decision?.verdict, outside: decision?.context.circumstances?.outside };
  };
  // known from the time before anybody asked
  expect(await run(await paying('Known Ltd'))).toMatchObject({ verdict: 'allow', outside: undefined });
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `with person as (insert into quorate.directory_people (id, workspace_id, user_name, user_id)
         select gen_random_uuid(), $1, 'starter', initiator_id from quorate.runs where workspace_id = $1 limit 1 returning id),
       team as (insert into quorate.directory_groups (id, workspace_id, display_name) values (gen_random_uuid(), $1, 'Treasury') returning id)
       insert into quorate.directory_group_people (workspace_id, group_id, person_id) select $1, team.id, person.id from team, person`,
      [workspace.id],
    );
  });
  await publish(rule('context.callsToPayee == 0 && context.initiatorGroups.contains("Treasury")', 'require_approval'));
  expect(await run(await paying('Known ltd'))).toMatchObject({
    verdict: 'allow',
    outside: { callsToPayee: 1, callsToday: 1, groups: ['Treasury'] },
  });
  const fresh = await run(await paying('New Ltd'));
  expect(fresh).toMatchObject({ verdict: 'require_approval', outside: { callsToPayee: 0, callsToday: 2 } });
  // as long as nobody has approved it the payee stays new, and so does nobody at all
  expect(await run(await paying('New Ltd'))).toMatchObject({ verdict: 'require_approval', outside: { callsToPayee: 0 } });
  expect(await run(await runs.makeWorkflow(workspace, { steps: [say('a')] }))).toMatchObject({ verdict: 'require_approval' });
  await runs.approve(workspace, fresh.id);
  await runs.until(fresh.id, ['completed']);
  expect(await run(await paying('New Ltd'))).toMatchObject({ verdict: 'allow', outside: { callsToPayee: 1 } });
});

test('a rule names one workflow, and not the next', async () => {
  const [one, other] = [
    await runs.makeWorkflow(workspace, { steps: [say('a')] }),
    await runs.makeWorkflow(workspace, { steps: [say('a')] }),
  ];
  await publish(rule(`context.workflow.id == "${one.artifactId}" && context.workflow.name == "Test workflow" && context.agent == ""`));
  const refused = await runs.start(workspace, one, {});
  expect(await runs.until(refused, ['failed', 'completed'])).toMatchObject({ status: 'failed' });
  expect(await runs.until(await runs.start(workspace, other, {}), ['failed', 'completed'])).toMatchObject({ status: 'completed' });
  expect(calls).toBe(1);
  // the requester did not write the version
  expect((await decisionsOf(refused))[0]?.context.circumstances).toMatchObject({ requesterIsAuthor: false, costInRunMicros: 0 });
});

test('a rule reads the clock in the zone of the workspace, and a replay reads the same clock again', async () => {
  await configured('Pacific/Kiritimati');
  const workflow = await runs.makeWorkflow(workspace, { steps: [say('a')] });
  const runId = await runs.start(workspace, workflow, {});
  await runs.until(runId, ['completed']);
  const [decision] = await decisionsOf(runId);
  const time = decision?.context.circumstances?.time;
  const shown = new Date(Date.parse(time?.at ?? '') + 14 * 3_600_000).toISOString();
  expect(time).toMatchObject({ zone: 'Pacific/Kiritimati', date: shown.slice(0, 10), hour: Number(shown.slice(11, 13)) });
  const draft = {
    policyId: 'draft',
    policyName: 'Draft',
    version: 0,
    text: rule(`context.date == "${time?.date}" && context.hour == ${time?.hour}`),
  };
  const replay = await principalOf(database, runs, workspace, workspace.admin).read((db) =>
    replayPolicies(db, [draft], { workspaceId: workspace.id, runs: 10 }),
  );
  expect(replay).toMatchObject({ decided: 1, unreadable: 0, changed: [{ runId, was: 'allow', would: 'deny' }] });
});

test('a decision that lacks its circumstances is left out of the replay of a rule that asks for them, and of no other', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [say('a')] }), {});
  await runs.until(runId, ['completed']);
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, reason, context, action_digest, policy_version)
       select $2, workspace_id, run_id, step_path, attempt, action, verdict, reason, context - 'circumstances', action_digest, policy_version
       from quorate.decisions where run_id = $1`,
      [runId, newId()],
    );
  });
  const replay = (text: string) =>
    principalOf(database, runs, workspace, workspace.admin).read((db) =>
      replayPolicies(db, [{ policyId: 'draft', policyName: 'Draft', version: 0, text }], { workspaceId: workspace.id, runs: 10 }),
    );
  expect(await replay(rule('context.hour >= 0'))).toMatchObject({ decided: 1, unreadable: 1, changed: [{ would: 'deny' }] });
  expect(await replay(rule('context.mode == "live"'))).toMatchObject({
    decided: 2,
    unreadable: 0,
    changed: [{ would: 'deny' }, { would: 'deny' }],
  });
});

test('nobody moves the clock of a policy in force alone', async () => {
  const policy = await publish(rule('context.hour >= 18'));
  await expect(configured('Asia/Tokyo')).rejects.toMatchObject({ code: 'invalid_input', reasons: [{ key: 'clockInUse' }] });
  // the same zone is no change
  await configured('UTC');
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [policy]);
  });
  await configured('Asia/Tokyo');
  await publish(rule('context.callsToday >= 1000'));
  await expect(configured('UTC')).rejects.toMatchObject({ reasons: [{ key: 'clockInUse' }] });
});
