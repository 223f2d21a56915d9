/** What the frame of the app area promises: true health, a halt that only another person lifts, workspaces of one's own. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeHealth } from '#app/domain/people/health.ts';
import { expireApprovals } from '#app/engine/approvals/expire-approvals.ts';
import { countOtherApprovers, requestRelease } from '#app/engine/approvals/request-release.ts';
import { type GivenVote, voteApproval, withdrawApproval } from '#app/engine/approvals/vote-approval.ts';
import { HEALTH_KEPT_MS, measureHealth, readHealth } from '#app/engine/health/read-health.ts';
import { haltWorkspace, releaseWorkspace } from '#app/engine/runs/halt-workspace.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let runs: RunFixture;
beforeAll(async () => {
  test = await createTestDatabase();
  runs = await createRunFixture(test);
});
afterAll(async () => {
  await runs?.close();
  await test?.close();
});

const reading =
  (workspace: Workspace, member: TestMember) =>
  <T>(work: Parameters<typeof test.database.asMember<T>>[1]) =>
    test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work, { readOnly: true });

describe('health', () => {
  it('counts for every member what the workspace waits for, also runs that they may not see, and nothing of another', async () => {
    const made = await test.makeWorkspace({ members: [{ roles: ['user', 'builder'] }, { roles: ['user'] }] });
    const [builder, plain] = made.members;
    if (builder === undefined || plain === undefined) throw new Error('no members');
    const workspace: Workspace = { ...made, builder, approver: plain, admin: plain };
    const other = await runs.makeWorkspace();
    const workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
    await runs.start(workspace, workflow);
    const run = await runs.start(workspace, workflow);
    const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.runs set created_at = clock_timestamp() - interval '11 minutes' where id = $1`, [run]);
      await client.query(`update quorate.connections set status = 'error' where workspace_id = $1 and slug = $2`, [workspace.id, slug]);
    });
    const figures = await reading(workspace, plain)(measureHealth);
    expect(figures).toMatchObject({ queued: 2, connections: 1, failedChecks: 1 });
    expect(judgeHealth(figures, false)).toMatchObject({ state: 'fault', findings: [{ about: 'wait', count: 2 }, { about: 'checks' }] });
    expect(await reading(other, other.admin)(measureHealth)).toMatchObject({ queued: 0, connections: 0, failedChecks: 0 });
  });

  it('is measured once for all who look within its time, and a failure is not kept', async () => {
    const workspace = await runs.makeWorkspace();
    const read = reading(workspace, workspace.admin);
    const now = new Date();
    const first = await readHealth(read, { workspaceId: workspace.id, now });
    expect(await readHealth(read, { workspaceId: workspace.id, now })).toBe(first);
    const later = new Date(now.getTime() + HEALTH_KEPT_MS + 1);
    const refuse = () => Promise.reject(new Error('no database'));
    await expect(readHealth(refuse, { workspaceId: workspace.id, now: later })).rejects.toThrow('no database');
    expect(await readHealth(read, { workspaceId: workspace.id, now: later })).not.toBe(first);
  });
});

describe('a halt', () => {
  const halt = (workspace: Workspace) =>
    runs.asMember(workspace, workspace.admin, async (db) => ({
      result: null,
      event: await haltWorkspace(db, { workspaceId: workspace.id, memberId: workspace.admin.id, now: new Date(), reason: 'Odd calls' }),
    }));
  const ask = async (workspace: Workspace, member = workspace.admin) => {
    const approvalId = newId();
    const question = {
      approvalId,
      workspaceId: workspace.id,
      title: 'Lift it',
      reason: 'All is well',
      requester: member.name,
      now: new Date(),
    };
    await runs.asMember(workspace, member, async (db) => ({ result: null, event: await requestRelease(db, question) }));
    return approvalId;
  };
  const vote = async (workspace: Workspace, member: TestMember, approvalId: string, changes: Partial<GivenVote> = {}, proved = true) => {
    if (proved) await test.prove(member, approvalId);
    const { rows } = await test.owner.query('select action_digest from quorate.approvals where id = $1', [approvalId]);
    const given: GivenVote = { approvalId, vote: 'approve', reason: '', digest: rows[0].action_digest, ...changes };
    return runs.asMember(workspace, member, async (db) => ({
      result: await voteApproval(db, runs, given),
      event: { action: 'workspace.released', resource: { kind: 'workspace', id: workspace.id } },
    }));
  };
  const release = (workspace: Workspace, member = workspace.admin) =>
    runs.asMember(workspace, member, async (db) => ({
      result: null,
      event: await releaseWorkspace(db, runs, { workspaceId: workspace.id }),
    }));
  const stateOf = async (workspace: Workspace) =>
    (await test.owner.query('select halted_at, halt_reason from quorate.workspaces where id = $1', [workspace.id])).rows[0];
  const statusOf = async (id: string) =>
    (await test.owner.query('select status from quorate.approvals where id = $1', [id])).rows[0]?.status;

  it('is lifted by the approver who is asked, once, and the open runs continue', async () => {
    const workspace = await runs.makeWorkspace();
    const workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
    await runs.start(workspace, workflow);
    await halt(workspace);
    expect(await stateOf(workspace)).toMatchObject({ halt_reason: 'Odd calls' });
    const approval = await ask(workspace);
    expect(await vote(workspace, workspace.approver, approval)).toMatchObject({ kind: 'release', status: 'approved', openRuns: 1 });
    expect(await stateOf(workspace)).toEqual({ halted_at: null, halt_reason: null });
    expect(await statusOf(approval)).toBe('consumed');
    // the next halt is another one
    await halt(workspace);
    await expect(vote(workspace, workspace.approver, approval)).rejects.toMatchObject({ refusal: 'closed' });
    expect((await stateOf(workspace)).halted_at).not.toBeNull();
  });

  it('is not lifted by who asks, by who may not decide, for another digest, unproven, or while someone else could decide', async () => {
    const made = await test.makeWorkspace({
      members: [{ roles: ['user', 'builder'] }, { roles: ['user', 'approver'] }, { roles: ['user', 'approver', 'admin'] }],
    });
    const [builder, approver, admin] = made.members;
    if (!builder || !approver || !admin) throw new Error('no members');
    const workspace: Workspace = { ...made, builder, approver, admin };
    await halt(workspace);
    await expect(release(workspace)).rejects.toMatchObject({ code: 'forbidden' });
    for (const change of ['halted_at = now()', `halt_reason = 'Another'`, 'halted_by = null']) {
      await expect(
        test.database.asMember({ userId: admin.id, sessionId: admin.sessionId, workspaceId: made.id }, (db) =>
          sql`update quorate.workspaces set ${sql.raw(change)}`.execute(db),
        ),
      ).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(ask(workspace, builder)).rejects.toMatchObject({ code: 'forbidden' });
    const approval = await ask(workspace);
    await expect(ask(workspace)).rejects.toMatchObject({ code: 'conflict' });
    await expect(vote(workspace, admin, approval)).rejects.toMatchObject({ refusal: 'requester' });
    await expect(vote(workspace, builder, approval)).rejects.toMatchObject({ refusal: 'role' });
    await expect(vote(workspace, approver, approval, {}, false)).rejects.toMatchObject({ refusal: 'reauthenticate' });
    await expect(vote(workspace, approver, approval, { digest: 'f'.repeat(64) })).rejects.toMatchObject({ refusal: 'digest' });
    expect((await stateOf(workspace)).halted_at).not.toBeNull();
    expect(await vote(workspace, approver, approval, { vote: 'reject', reason: 'Not yet' })).toMatchObject({ status: 'rejected' });
    expect((await stateOf(workspace)).halted_at).not.toBeNull();
  });

  it('is asked about again when the question is taken back or nobody answers; a late vote lifts nothing', async () => {
    const workspace = await runs.makeWorkspace();
    await halt(workspace);
    const first = await ask(workspace);
    await runs.asMember(workspace, workspace.admin, async (db) => {
      await withdrawApproval(db, runs, first);
      return { result: null, event: { action: 'approval.withdrawn', resource: { kind: 'approval', id: first } } };
    });
    const second = await ask(workspace);
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.approvals set due_at = clock_timestamp() - interval '1 second' where id = $1`, [second]);
    });
    await expect(vote(workspace, workspace.approver, second)).rejects.toMatchObject({ refusal: 'late' });
    await expireApprovals({
      asApp: test.database.app,
      asWorker: test.database.asWorker,
      enqueueRun: runs.enqueueRun,
      newId,
      log: quietLog,
    });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['withdrawn', 'expired']);
    expect((await stateOf(workspace)).halted_at).not.toBeNull();
    await vote(workspace, workspace.approver, await ask(workspace));
    expect((await stateOf(workspace)).halted_at).toBeNull();
  });

  it('is lifted by an administrator alone only where nobody else could, and closes what was asked', async () => {
    const workspace = await runs.makeWorkspace();
    await halt(workspace);
    const approval = await ask(workspace);
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2`, [
        workspace.id,
        workspace.approver.id,
      ]);
    });
    await expect(vote(workspace, workspace.approver, approval)).rejects.toMatchObject({ refusal: 'role' });
    // whoever could decide in the last seven days still counts, so that nobody makes room first
    expect(await reading(workspace, workspace.admin)(countOtherApprovers)).toBe(1);
    await expect(release(workspace)).rejects.toMatchObject({ code: 'forbidden' });
    await test.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.control_terms set until = now() - interval '8 days' where workspace_id = $1 and user_id = $2`, [
        workspace.id,
        workspace.approver.id,
      ]);
    });
    expect(await reading(workspace, workspace.admin)(countOtherApprovers)).toBe(0);
    await release(workspace);
    expect(await statusOf(approval)).toBe('withdrawn');
    expect((await stateOf(workspace)).halted_at).toBeNull();
    await expect(release(workspace)).rejects.toMatchObject({ code: 'conflict' });
  });
});
