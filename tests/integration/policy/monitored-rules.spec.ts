/** A rule in monitor mode counts what it would have decided, and an approval has the terms of the rules that ask for it. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { loadMonitored } from '#app/features/policies/replay/load-monitored.server.ts';
import { openControlDesk } from '#tests/integration/support/control-desk.ts';
import { principalOf, putInForce } from '#tests/integration/support/policy-in-force.ts';
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
    return { output: { said: true }, protocolVersion: '1' };
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

const rule = (id: string, annotations: string) =>
  `@id("${id}") ${annotations} @reason("Because.") forbid(principal, action, resource) when { context.mode == "live" };\n`;
const publish = (text: string) => putInForce(database, runs, workspace, { name: 'Watched', text });
const start = async () => {
  const say = { id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'say', input: {}, retries: 0 };
  return runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [say] }), {});
};

test('a monitored rule lets the call be made and is counted, with the run, for its own policy and workspace alone', async () => {
  const policy = await publish(rule('a', '@verdict("deny") @mode("monitor")') + rule('b', '@verdict("warn") @mode("monitor")'));
  const runId = await start();
  await runs.until(runId, ['completed']);
  expect(calls).toBe(1);
  const read = (of: Workspace, id: string) => principalOf(database, runs, of, of.admin).read((db) => loadMonitored(db, id, new Date()));
  const { counts, decisions } = await read(workspace, policy);
  expect(counts).toEqual([
    { rule: 'a', verdict: 'deny', decisions: 1 },
    { rule: 'b', verdict: 'warn', decisions: 1 },
  ]);
  expect(decisions).toMatchObject([{ runId, verdict: 'allow' }]);
  const [other] = [await runs.makeWorkspace()];
  expect(await read(other, policy)).toEqual({ counts: [], decisions: [] });
  const violations = await principalOf(database, runs, workspace, workspace.admin).read((db) =>
    sql<{ n: number }>`select quorate.count_violations(now() - interval '1 day') as n`.execute(db),
  );
  expect(violations.rows).toEqual([{ n: 0 }]);
});

test('a rule that asks for two approvers within four hours gets both, and one of them alone releases nothing', async () => {
  await publish(rule('two', '@verdict("require_approval") @approvers("2") @due_hours("4")') + rule('one', '@verdict("require_approval")'));
  const runId = await start();
  await runs.until(runId, ['waiting']);
  const { rows } = await database.owner.query(
    `select id, action_digest, quorum, extract(epoch from due_at - created_at)::float / 3600 as hours from quorate.approvals where run_id = $1`,
    [runId],
  );
  expect(rows).toMatchObject([{ quorum: 2, hours: expect.closeTo(4, 2) }]);
  const vote = async (member: Workspace['admin']) => {
    await database.prove(member, rows[0].id);
    return runs.asMember(workspace, member, async (db) => {
      const given = { approvalId: rows[0].id, vote: 'approve' as const, reason: '', digest: rows[0].action_digest };
      await voteApproval(db, { enqueueRun: runs.enqueueRun }, given);
      return { result: null, event: { action: 'approval.approved', resource: { kind: 'approval', id: rows[0].id } } };
    });
  };
  await vote(workspace.approver);
  expect((await database.owner.query('select status from quorate.approvals where id = $1', [rows[0].id])).rows).toEqual([
    { status: 'pending' },
  ]);
  expect(calls).toBe(0);
});

test('a rule asks an admin of a group, with a second factor: the database counts no other vote', async () => {
  await publish(
    rule('who', '@verdict("require_approval") @role("admin") @group("Treasury") @reauthenticate("factor")') +
      rule('also', '@verdict("require_approval") @group("Board") @reauthenticate("password")'),
  );
  // who wrote the version does not decide, whatever the roles
  const other = await openControlDesk(database, runs, workspace).join(['user', 'admin']);
  const runId = await start();
  await runs.until(runId, ['waiting']);
  const { rows } = await database.owner.query(
    'select id, action_digest, role, groups, reauthenticate from quorate.approvals where run_id = $1',
    [runId],
  );
  const [{ id, action_digest: digest }] = rows;
  expect(rows).toMatchObject([{ role: 'admin', groups: ['Board', 'Treasury'], reauthenticate: 'factor' }]);
  const vote = async (member: Workspace['admin'], method?: 'password' | 'password_and_factor') => {
    if (method !== undefined)
      await database.database.noteReauthentication({ userId: member.id, sessionId: member.sessionId, method, act: 'vote', subjects: [id] });
    return runs.asMember(workspace, member, async (db) => ({
      result: await voteApproval(db, { enqueueRun: runs.enqueueRun }, { approvalId: id, vote: 'approve', reason: '', digest }),
      event: { action: 'approval.approved', resource: { kind: 'approval', id } },
    }));
  };
  const personId = newId();
  const join = (group: string) =>
    database.arrange(workspace.id, async (client) => {
      const groupId = newId();
      await client.query('insert into quorate.directory_groups (id, workspace_id, display_name) values ($1, $2, $3)', [
        ...[groupId, workspace.id, group],
      ]);
      await client.query(
        'insert into quorate.directory_people (id, workspace_id, user_name, user_id) values ($1, $2, $3, $4) on conflict (id) do nothing',
        [personId, workspace.id, 'ada', other.id],
      );
      await client.query('insert into quorate.directory_group_people (workspace_id, group_id, person_id) values ($1, $2, $3)', [
        ...[workspace.id, groupId, personId],
      ]);
    });
  await expect(vote(workspace.approver, 'password_and_factor')).rejects.toMatchObject({ refusal: 'role' });
  await expect(vote(other, 'password_and_factor')).rejects.toMatchObject({ refusal: 'group' });
  await join('treasury');
  await expect(vote(other, 'password_and_factor')).rejects.toMatchObject({ refusal: 'group' });
  const waits = () =>
    principalOf(database, runs, workspace, other).read((db) => findNextApproval(db, { userId: other.id, roles: ['admin'] }, null));
  expect(await waits()).toBeNull();
  await join('Board');
  expect(await waits()).toBe(id);
  await database.owner.query('delete from quorate.reauthentications');
  await expect(vote(other)).rejects.toMatchObject({ refusal: 'reauthenticate' });
  await expect(vote(other, 'password')).rejects.toMatchObject({ refusal: 'factor' });
  expect(calls).toBe(0);
  expect(await vote(other, 'password_and_factor')).toMatchObject({ status: 'approved' });
  await runs.until(runId, ['completed']);
  expect(calls).toBe(1);
});
