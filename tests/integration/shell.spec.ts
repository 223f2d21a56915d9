/** What the frame of the app area promises: true health, a halt that only another person lifts, workspaces of one's own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeHealth } from '#app/domain/health.ts';
import { HEALTH_KEPT_MS, measureHealth, readHealth } from '#app/engine/health/read-health.ts';
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
