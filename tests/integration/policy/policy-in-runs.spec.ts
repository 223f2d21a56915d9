import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { replayPolicies } from '#app/engine/policy/replay-policy.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';
import { putInForce } from '#tests/integration/support/policy-in-force.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let capabilityId: string;
let calls: Parameters<CallPeer>[0][] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  await runs.startWorker(async (call) => {
    calls.push(call);
    if (call.peer.kind === 'model') return { ...answerTurn(call.input), protocolVersion: '' };
    const output: Json = call.capability.name === 'grade' ? { risk: 'high' } : { said: true };
    return { output, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(async () => {
  calls = [];
  workspace = await runs.makeWorkspace();
  ({ slug, capabilityId } = await runs.makeCapability(workspace, { name: 'say', personalDataAllowed: false }));
});

/** A model that asks for the one call that its task names, and answers once it has been made. */
function answerTurn({ messages }: { [key: string]: Json }): { output: Json; usage: { inputTokens: number; outputTokens: number } } {
  const usage = { inputTokens: 7, outputTokens: 3 };
  const [first, ...rest] = messages as { content: Json }[];
  const said = { message: { role: 'assistant', content: 'x' }, finishReason: 'stop', usage };
  if (rest.length > 0) return { output: { ...said, text: 'Answered.', toolCalls: [] }, usage };
  return { output: { ...said, text: '', toolCalls: [{ id: 't1', ...(JSON.parse(String(first?.content)) as object) }] }, usage };
}

const input = [{ name: 'text', title: 'Text', type: 'text' }];
const say = () => ({
  id: 'say',
  name: 'Say',
  kind: 'tool',
  connection: slug,
  capability: 'say',
  input: { text: '=input.text' },
  retries: 0,
});

async function decisionsOf(runId: string) {
  const { rows } = await database.owner.query(
    'select step_path, verdict, rules, reason, policy_version from quorate.decisions where run_id = $1 order by decided_at, id',
    [runId],
  );
  return rows;
}
const publish = (text: string) => putInForce(database, runs, workspace, { name: 'Published here', text });

test('personal data does not leave to a connection that is not approved for it', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [say()] }), {
    text: 'Write to ann@example.com',
  });
  await runs.until(runId, ['failed']);
  expect(calls).toHaveLength(0);
  expect(await decisionsOf(runId)).toMatchObject([
    { step_path: 'say', verdict: 'deny', rules: [{ policyName: 'Personal data stays' }], reason: { key: 'policyPersonalDataLeaves' } },
  ]);
});

test('without personal data the same call is made, after its decision', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [say()] }), { text: 'Good morning' });
  await runs.until(runId, ['completed']);
  expect(calls).toHaveLength(1);
  expect(await decisionsOf(runId)).toMatchObject([{ verdict: 'allow' }]);
});

test('a tool whose definition changed is not called', async () => {
  const workflow = await runs.makeWorkflow(workspace, { input, steps: [say()] });
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.capabilities set fingerprint = 'f2' where id = $1`, [capabilityId]);
  });
  const runId = await runs.start(workspace, workflow, { text: 'Good morning' });
  await runs.until(runId, ['failed']);
  expect(calls).toHaveLength(0);
});

test('a policy that fails while it is evaluated refuses the call', async () => {
  await publish(
    '@id("a") @verdict("warn") @reason("Counted.") forbid(principal, action, resource) when { (context.findings + 2) * 9223372036854775807 > 1 };',
  );
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [say()] }), { text: 'Good morning' });
  await runs.until(runId, ['failed']);
  expect(calls).toHaveLength(0);
  expect(await decisionsOf(runId)).toMatchObject([{ verdict: 'deny', reason: { key: 'policyFailed' } }]);
});

test('a policy in force that cannot be read refuses every call', async () => {
  await database.arrange(workspace.id, async (client) => {
    const [id, version] = [newId(), newId()];
    await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'policy', 'Broken', $3)`, [
      id,
      workspace.id,
      workspace.admin.id,
    ]);
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{"format":"other"}', 'h', $4)`,
      [version, workspace.id, id, workspace.admin.id],
    );
    await client.query(`update quorate.artifacts set published_version_id = $2, status = 'active' where id = $1`, [id, version]);
  });
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [say()] }), { text: 'Good morning' });
  await runs.until(runId, ['failed']);
  expect(calls).toHaveLength(0);
  expect(await decisionsOf(runId)).toMatchObject([{ verdict: 'deny', reason: { key: 'policyUnreadable' } }]);
});

test('an approval given under other policies releases nothing: it is asked again', async () => {
  await runs.makeCapability(workspace, { name: 'grade', slug: 'grader' });
  const grade = { id: 'grade', name: 'Grade', kind: 'tool', connection: 'grader', capability: 'grade', input: {} };
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [grade, say()] }), { text: 'Good morning' });
  await runs.until(runId, ['waiting']);
  await publish('@id("a") @verdict("warn") @reason("Watched.") forbid(principal, action, resource) when { context.mode == "live" };');
  const first = await runs.approve(workspace, runId);
  await expect
    .poll(
      async () => (await database.owner.query('select count(*)::int as n from quorate.approvals where run_id = $1', [runId])).rows[0].n,
      { timeout: 15_000 },
    )
    .toBe(2);
  expect(calls.map((call) => call.capability.name)).toEqual(['grade']);
  expect((await database.owner.query('select status from quorate.approvals where id = $1', [first])).rows[0].status).toBe('approved');

  await runs.until(runId, ['waiting']);
  await runs.approve(workspace, runId);
  await runs.until(runId, ['completed']);
  expect(calls.map((call) => call.capability.name)).toEqual(['grade', 'say']);
  const released = (await decisionsOf(runId)).filter((row) => row.step_path === 'say').at(-1);
  expect(released).toMatchObject({ verdict: 'warn', reason: { key: 'policyReleased' } });
});

describe('an agent of the workspace', () => {
  let agent: Awaited<ReturnType<RunFixture['makeAgent']>>;
  beforeEach(async () => {
    const model = await runs.makeCapability(workspace, { name: 'small', kind: 'model' });
    const grade = await runs.makeCapability(workspace, { name: 'grade' });
    agent = await runs.makeAgent(workspace, {
      instructions: 'Be exact.',
      connection: model.slug,
      model: 'small',
      tools: [
        { kind: 'tool', connection: slug, capability: 'say' },
        { kind: 'tool', connection: grade.slug, capability: 'grade' },
      ],
    });
  });
  const asking = async (capability: string, given: Json) => {
    const { rows } = await database.owner.query(
      'select n.slug from quorate.capabilities c join quorate.connections n on n.id = c.connection_id where c.workspace_id = $1 and c.name = $2',
      [workspace.id, capability],
    );
    return JSON.stringify({ name: `${rows[0].slug}__${capability}`, input: given });
  };
  const approve = async (runId: string) => {
    const { rows } = await database.owner.query('select id, action_digest, step_path from quorate.approvals where run_id = $1', [runId]);
    await database.prove(workspace.approver, rows[0].id);
    await runs.asMember(workspace, workspace.approver, async (db) => {
      const vote = { approvalId: rows[0].id, vote: 'approve' as const, reason: '', digest: rows[0].action_digest };
      await voteApproval(db, { enqueueRun: runs.enqueueRun }, vote);
      return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id: rows[0].id } } };
    });
    return rows[0].step_path;
  };

  test('asks for an approval in the middle, continues with it, and calls no stored step again', async () => {
    const runId = await runs.start(workspace, agent, { task: await asking('grade', {}) });
    expect(await runs.until(runId, ['waiting', 'failed', 'completed'])).toMatchObject({ status: 'waiting' });
    expect(calls.map((call) => call.capability.name)).toEqual(['small', 'grade']);
    expect(await approve(runId)).toBe('agent/turn_2');
    const run = await runs.until(runId, ['completed', 'failed']);
    expect(run).toMatchObject({
      status: 'completed',
      output: { answer: 'Answered.', calls: 3, usage: { inputTokens: 14, outputTokens: 6 } },
      tokens_in: 14,
      tokens_out: 6,
    });
    expect(calls.map((call) => call.idempotencyKey)).toEqual(
      ['agent/turn_1', 'agent/turn_1_call_1', 'agent/turn_2'].map((path) => `${runId}/${path}`),
    );
    const steps = await runs.steps(runId);
    expect(steps.map(({ path, kind, status, agent_id }) => [path, kind, status, agent_id !== null])).toEqual([
      ['agent', 'agent', 'success', true],
      ['agent/turn_1', 'model', 'success', false],
      ['agent/turn_1_call_1', 'tool', 'success', false],
      ['agent/turn_2', 'model', 'success', false],
    ]);
    const decided = await decisionsOf(runId);
    expect(new Set(decided.map((row) => row.step_path))).toEqual(new Set(['agent/turn_1', 'agent/turn_1_call_1', 'agent/turn_2']));
  });

  test('is refused a tool by the policy, is told so, and may still answer', async () => {
    const runId = await runs.start(workspace, agent, { task: await asking('say', { text: 'ada@example.org' }) });
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
    expect(calls.map((call) => call.capability.name)).toEqual(['small', 'small']);
    expect(JSON.stringify(calls[1]?.input.messages)).toContain('policyPersonalDataLeaves');
    expect((await runs.steps(runId)).find(({ path }) => path === 'agent/turn_1_call_1')).toMatchObject({
      status: 'error',
      error: { key: 'policyPersonalDataLeaves' },
    });
    expect((await decisionsOf(runId)).map((row) => row.verdict)).toEqual(['allow', 'deny', 'allow']);
  });

  test('that was paused while it waited starts nothing more, and says why', async () => {
    const runId = await runs.start(workspace, agent, { task: await asking('grade', {}) });
    await runs.until(runId, ['waiting']);
    await database.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [agent.artifactId]);
    });
    await approve(runId);
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'agentPaused' } });
    expect(calls.map((call) => call.capability.name)).toEqual(['small', 'grade']);
  });

  test('cannot use a connection that is paused', async () => {
    await database.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.connections set paused_at = now() where workspace_id = $1 and slug = $2`, [workspace.id, slug]);
    });
    const runId = await runs.start(workspace, agent, { task: await asking('say', { text: 'hello' }) });
    await runs.until(runId, ['completed', 'failed']);
    expect((await runs.steps(runId)).find(({ path }) => path === 'agent/turn_1_call_1')).toMatchObject({
      error: { key: 'connectionPaused' },
    });
  });
});

test('a replay decides the past again from what was kept of it, by the policies in force and by a draft, and changes nothing', async () => {
  await runs.makeCapability(workspace, { name: 'grade', slug: 'grader' });
  const grade = { id: 'grade', name: 'Grade', kind: 'tool', connection: 'grader', capability: 'grade', input: {} };
  const plain = await runs.makeWorkflow(workspace, { input, steps: [say()] });
  const allowed = await runs.start(workspace, plain, { text: 'Good morning' });
  await runs.until(allowed, ['completed']);
  const denied = await runs.start(workspace, plain, { text: 'Write to ann@example.com' });
  await runs.until(denied, ['failed']);
  const released = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [grade, say()] }), { text: 'Hello' });
  await runs.until(released, ['waiting']);
  await runs.approve(workspace, released);
  await runs.until(released, ['completed']);
  const called = calls.length;
  const before = [...(await decisionsOf(allowed)), ...(await decisionsOf(denied)), ...(await decisionsOf(released))];

  const replay = (more: readonly string[], without: readonly string[] = []) =>
    runs.asMember(workspace, workspace.admin, async (db) => {
      const inForce = (await loadPolicySources(db)).filter(({ policyName }) => !without.includes(policyName));
      const drafts = more.map((text, index) => ({ policyId: `draft-${index}`, policyName: 'Draft', version: 0, text }));
      return {
        result: await replayPolicies(db, [...inForce, ...drafts], { workspaceId: workspace.id, runs: 50 }),
        event: { action: 'policy.draftSaved', resource: { kind: 'policy', id: 'replay' } },
      };
    });
  // what was decided then is decided so again: nothing that a rule may ask was lost
  expect(await replay([])).toMatchObject({ runs: 3, decided: before.length, unreadable: 0, changed: [] });

  const everyTool = writeRule({
    ...{ id: 'no_say', verdict: 'deny', reason: 'Not any more.', role: '', actions: ['call_tool'] },
    ...{ approvers: '', dueHours: '', deciders: '', group: '', reauthenticate: '', change: null, monitors: false },
    tool: '',
    inputs: [],
    conditions: [{ test: 'nameIs', holds: true, value: 'say' }],
  });
  const stricter = await replay([everyTool]);
  expect(stricter.changed.map(({ runId, was, would }) => ({ runId, was, would }))).toEqual(
    expect.arrayContaining([
      { runId: allowed, was: 'allow', would: 'deny' },
      { runId: released, was: 'require_approval', would: 'deny' },
    ]),
  );
  expect(stricter.changed.every(({ capability }) => capability === 'say')).toBe(true);

  const laxer = await replay([], ['Personal data stays']);
  expect(laxer.changed).toMatchObject([{ runId: denied, was: 'deny', would: 'allow' }]);
  expect(calls).toHaveLength(called);
  expect([...(await decisionsOf(allowed)), ...(await decisionsOf(denied)), ...(await decisionsOf(released))]).toEqual(before);
});
