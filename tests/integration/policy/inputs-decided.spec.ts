/** Rules about the input of one tool decide its calls in a run, keep what they compared and nothing else, and are replayed from that. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PLAIN_EXAMPLE } from '#app/domain/audit/policy-example.ts';
import { policyDocument, policyHash } from '#app/engine/policy/author-policy.ts';
import type { DecisionResult } from '#app/engine/policy/decision-request.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { replayPolicies } from '#app/engine/policy/replay-policy.ts';
import { askWhatIf, type WhatIf } from '#app/engine/policy/what-if.ts';
import { principalOf, putInForce } from '#tests/integration/support/policy-in-force.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let capabilityId: string;
let called: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  await runs.startWorker(async ({ input }) => {
    called.push(input);
    return { output: { paid: true }, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(async () => {
  called = [];
  workspace = await runs.makeWorkspace();
  ({ slug, capabilityId } = await runs.makeCapability(workspace, { name: 'pay', personalDataAllowed: true }));
  await schemaIs({ type: 'object', required: ['amount'], properties: { amount: { type: 'number' }, note: { type: 'string' } } });
});

const schemaIs = (schema: object) =>
  database.arrange(workspace.id, async (client) => {
    await client.query('update quorate.capabilities set input_schema = $2 where id = $1', [capabilityId, JSON.stringify(schema)]);
    await client.query('update quorate.workspaces set config_revision = config_revision + 1 where id = $1', [workspace.id]);
  });
const over = (limit: string) =>
  `@id("over") @verdict("deny") @reason("Too much.") forbid(principal, action == Action::"${slug}/pay", resource) when { context.input.amount.greaterThan(decimal("${limit}")) };`;
const input = [
  { name: 'amount', title: 'Amount', type: 'number' },
  { name: 'note', title: 'Note', type: 'text', required: false },
];
const pay = () => ({
  ...{ id: 'pay', name: 'Pay', kind: 'tool', connection: slug, capability: 'pay', retries: 0 },
  input: { amount: '=input.amount', note: '=input.note' },
});
async function payment(amount: number, note = 'Invoice') {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [pay()] }), { amount, note });
  const { status } = await runs.until(runId, ['completed', 'failed']);
  const { rows } = await database.owner.query('select verdict, reason, context from quorate.decisions where run_id = $1', [runId]);
  return { runId, status, ...(rows[0] as { verdict: string; reason: { key: string }; context: NonNullable<DecisionResult['context']> }) };
}

test('a payment over the limit is refused, one at the limit is made', async () => {
  await putInForce(database, runs, workspace, { name: 'Payments', text: over('10000.0') });
  expect(await payment(10_000)).toMatchObject({ status: 'completed', verdict: 'allow' });
  expect(await payment(10_000.01)).toMatchObject({ status: 'failed', verdict: 'deny', reason: { key: 'policyStated' } });
  expect(called).toEqual([{ amount: 10_000, note: 'Invoice' }]);
});

test('a decision keeps the amount that was compared, and nothing else of the input', async () => {
  await putInForce(database, runs, workspace, { name: 'Payments', text: over('10000.0') });
  const { context } = await payment(12, 'For the kitchen');
  expect(context.input).toMatchObject({
    record: { amount: { __extn: { fn: 'decimal', arg: '12.0' } } },
    paths: [['amount']],
    withheld: [],
  });
  expect(JSON.stringify(context)).not.toContain('kitchen');
});

test('a replay decides by the amounts of then, and leaves out what was not kept of a decision', async () => {
  await payment(700);
  await putInForce(database, runs, workspace, { name: 'Payments', text: over('10000.0') });
  const { runId } = await payment(800);
  const replay = (text: string) =>
    principalOf(database, runs, workspace, workspace.admin).read(async (db) => {
      const others = (await loadPolicySources(db)).filter(({ policyName }) => policyName !== 'Payments');
      return replayPolicies(db, [...others, { policyId: 'd', policyName: 'D', version: 0, text }], { workspaceId: workspace.id, runs: 10 });
    });
  expect(await replay(over('500.0'))).toMatchObject({ decided: 1, unreadable: 1, changed: [{ runId, was: 'allow', would: 'deny' }] });
  expect(await replay(over('900.0'))).toMatchObject({ decided: 1, unreadable: 1, changed: [] });
});

test('a tool whose input changed is not called until the policy that names its fields fits again', async () => {
  const policy = await putInForce(database, runs, workspace, { name: 'Payments', text: over('10000.0') });
  await schemaIs({ type: 'object', properties: { amount: { type: 'string' }, note: { type: 'string' } } });
  expect(await payment(5)).toMatchObject({ status: 'failed', verdict: 'deny', reason: { key: 'policyInputChanged' } });
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [policy]);
  });
  expect(await payment(5)).toMatchObject({ status: 'completed', verdict: 'allow' });
  expect(called).toHaveLength(1);
});

test('a version whose example fails is not published, and the example is named; the examples are in its digest', async () => {
  const examples = [{ ...PLAIN_EXAMPLE, name: 'A large one', call: `${slug}/pay`, input: { amount: 20_000 } }];
  const publish = (limit: string) => putInForce(database, runs, workspace, { name: 'Payments', text: over(limit), examples });
  await expect(publish('30000.0')).rejects.toMatchObject({
    field: 'text',
    reasons: [{ key: 'exampleFails', values: { name: 'A large one' } }],
  });
  const { rows: none } = await database.owner.query(
    `select 1 from quorate.artifacts where workspace_id = $1 and name = 'Payments' and published_version_id is not null`,
    [workspace.id],
  );
  expect(none).toEqual([]);
  const policy = await publish('10000.0');
  const { rows } = await database.owner.query('select document, content_hash from quorate.versions where artifact_id = $1', [policy]);
  expect(rows[0]).toEqual({
    document: policyDocument(over('10000.0'), examples),
    content_hash: policyHash(policyDocument(over('10000.0'), examples)),
  });
  expect(await payment(20_000)).toMatchObject({ status: 'failed', verdict: 'deny' });
});

test('a decision is asked again with another input or version, and nothing of that is stored', async () => {
  const policy = await putInForce(database, runs, workspace, { name: 'Payments', text: over('10000.0') });
  const { runId } = await payment(20_000);
  const count = async () =>
    (await database.owner.query('select count(*)::int as n from quorate.decisions where run_id = $1', [runId])).rows[0];
  const { rows } = await database.owner.query(
    `select d.id as decision, v.id as version from quorate.decisions d, quorate.versions v where d.run_id = $1 and v.artifact_id = $2`,
    [runId, policy],
  );
  const { decision, version } = rows[0] as { decision: string; version: string };
  const before = await count();
  const ask = (asked: Partial<WhatIf>) =>
    principalOf(database, runs, workspace, workspace.admin).read((db) =>
      askWhatIf(
        db,
        { workspaceId: workspace.id, decisionId: decision },
        { input: { amount: 20_000 }, versionId: null, capabilityId: null, ...asked },
      ),
    );
  expect(await ask({})).toMatchObject({ verdict: 'deny', rules: [{ policyId: policy, rule: 'over' }] });
  expect(await ask({ input: { amount: 5 } })).toMatchObject({ verdict: 'allow', rules: [] });
  expect(await ask({ input: { amount: 'much' } })).toMatchObject({ verdict: 'deny', reason: { key: 'policyInputUnfit' } });
  const other = await runs.makeCapability(workspace, { name: 'note', personalDataAllowed: true });
  expect(await ask({ capabilityId: other.capabilityId })).toMatchObject({ verdict: 'allow' });
  expect(await ask({ capabilityId: '00000000-0000-7000-8000-000000000000' })).toBeNull();
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [policy]);
  });
  expect(await ask({})).toMatchObject({ verdict: 'allow' });
  expect(await ask({ versionId: version })).toMatchObject({ verdict: 'deny' });
  expect(await count()).toEqual(before);
});

test('a rule caps an amount and masks a note: only that is sent and kept, with both digests, and approved', async () => {
  const about = `forbid(principal, action == Action::"${slug}/pay", resource)`;
  const cap = `@id("cap") @verdict("transform") @reason("Small.") @cap("amount 500") ${about};\n@id("note") @verdict("transform") @reason("Quiet.") @mask("note") ${about};\n`;
  await putInForce(database, runs, workspace, { name: 'Caps', text: cap });
  const small = await payment(900, 'Account 1234 5678');
  expect(small).toMatchObject({ status: 'completed', verdict: 'transform', reason: { key: 'policyTransformed' } });
  expect(called).toEqual([{ amount: 500, note: '•••••••••••••5678' }]);
  const { rows } = await database.owner.query(
    'select d.context, d.action_digest, s.input from quorate.decisions d join quorate.steps s on s.run_id = d.run_id and s.path = d.step_path where d.run_id = $1',
    [small.runId],
  );
  const [kept] = rows as [{ context: NonNullable<DecisionResult['context']>; action_digest: string; input: unknown }];
  expect(kept.input).toEqual({ amount: 500, note: '•••••••••••••5678' });
  expect(kept.context.changed).toMatchObject({ after: kept.action_digest, before: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(kept.context.changed?.before).not.toBe(kept.action_digest);
  expect(JSON.stringify(rows)).not.toContain('1234');
});
