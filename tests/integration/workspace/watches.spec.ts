/** Watching workflows and runs: the rights to it, the notices it brings, and its privacy. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { readSubject } from '#app/domain/people/notifications.ts';
import { performAsPerson } from '#app/engine/commands/perform.ts';
import { stopWatching } from '#app/engine/commands/personal/stop-watching.ts';
import { watch } from '#app/engine/commands/personal/watch.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

type RoleName = keyof PopulatedWorkspace['members'];
const ROLES: RoleName[] = ['user', 'builder', 'approver', 'auditor', 'admin'];

let db: TestDatabase;
let here: PopulatedWorkspace;
let elsewhere: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
  elsewhere = await populateWorkspace(db);
  await db.owner.query('delete from quorate.watches');
});
afterAll(() => db.close());

type Thing = { kind: 'workflow' | 'run'; id: string };
const by = (member: TestMember, workspace = here.id) => {
  const who = { userId: member.id, sessionId: member.sessionId, workspaceId: workspace };
  const person = { userId: member.id, write: <T>(work: Parameters<typeof db.database.asMember<T>>[1]) => db.database.asMember(who, work) };
  const deps = { newId: () => newId(), now: () => new Date() };
  return {
    watch: (thing: Thing) => performAsPerson(watch, person, deps, { workspace, ...thing }),
    stop: (thing: Thing) => performAsPerson(stopWatching, person, deps, { workspace, ...thing }),
    list: () => db.database.asMember(who, (tx) => tx.selectFrom('quorate.watches').selectAll().execute()),
  };
};
const arrange = (text: string, values: unknown[] = []) => db.arrange(here.id, async (client) => void (await client.query(text, values)));

/** Watchers who were told during the work, as `role: key`. */
async function told(work: () => Promise<unknown>): Promise<string[]> {
  await db.owner.query('delete from quorate.notifications');
  await work();
  const { rows } = await db.owner.query(`select user_id, subject from quorate.notifications where kind = 'watch'`);
  const nameOf = (id: string) => ROLES.find((role) => here.members[role].id === id) ?? id;
  return rows.map(({ user_id, subject }) => `${nameOf(user_id)}: ${readSubject(subject)?.key}`).sort();
}

async function startRun(initiator: TestMember, mode = 'live'): Promise<string> {
  const id = newId();
  await arrange(
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, $5, $6, 'processing')`,
    [id, here.id, here.subject.artifactId, here.subject.versionId, mode, initiator.id],
  );
  return id;
}
async function ask(run: string, requester: TestMember): Promise<string> {
  const id = newId();
  await arrange(
    `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
     values ($1, $2, $3, 'a', 'Pay', '{}', 'd', '{}', 'low', $4, $4, now() + interval '1 day')`,
    [id, here.id, run, requester.id],
  );
  return id;
}
const end = (run: string, status = 'completed') => arrange('update quorate.runs set status = $2 where id = $1', [run, status]);
const decide = (approval: string, status: string) => arrange('update quorate.approvals set status = $2 where id = $1', [approval, status]);

describe('who watches', () => {
  it('a run is told of its approvals and of its end, once each, until they stop', async () => {
    const { user, auditor, approver } = here.members;
    const run = await startRun(user);
    const other = await startRun(user);
    for (const member of [auditor, approver]) await by(member).watch({ kind: 'run', id: run });
    await by(auditor).watch({ kind: 'run', id: run });
    let approval = '';
    const asking = async () => {
      approval = await ask(run, user);
      await ask(other, user);
    };
    // The approver is asked for the decision itself.
    expect(await told(asking)).toEqual(['auditor: notifyWatchedAsked']);
    expect(await told(() => decide(approval, 'rejected'))).toEqual(['approver: notifyWatchedRejected', 'auditor: notifyWatchedRejected']);
    await by(approver).stop({ kind: 'run', id: run });
    expect(await told(() => end(other))).toEqual([]);
    expect(await told(() => end(run, 'cancelled'))).toEqual(['auditor: notifyWatchedCancelled']);
  });

  it('a workflow is told of the runs that they may see, and of no test', async () => {
    const { user, builder, admin } = here.members;
    const workflow = { kind: 'workflow' as const, id: here.subject.artifactId };
    await arrange(`update quorate.artifacts set status = 'active', published_version_id = $2 where id = $1`, [
      workflow.id,
      here.subject.versionId,
    ]);
    for (const member of [user, admin, builder]) await by(member).watch(workflow);
    const [own, others, test] = [await startRun(user), await startRun(builder), await startRun(builder, 'test')];
    expect(await told(() => end(own))).toEqual([
      'admin: notifyWatchedCompleted',
      'builder: notifyWatchedCompleted',
      'user: notifyWatchedCompleted',
    ]);
    // The builder started it and is told of the failure itself.
    expect(await told(() => end(others, 'failed'))).toEqual(['admin: notifyWatchedFailed']);
    expect(await told(() => end(test))).toEqual([]);
  });
});

describe('a watch', () => {
  it('is of a thing that its owner sees, in their workspace', async () => {
    const { user, auditor } = here.members;
    const run = { kind: 'run' as const, id: await startRun(here.members.builder) };
    for (const attempt of [
      () => by(user).watch(run),
      () => by(auditor).watch({ kind: 'run', id: elsewhere.subject.runId }),
      () => by(auditor).watch({ kind: 'workflow', id: elsewhere.subject.artifactId }),
      () => by(elsewhere.members.admin, elsewhere.id).watch(run),
    ])
      await expect(attempt()).rejects.toSatisfy((error) => error instanceof AppError && error.code === 'not_found');
    // Past the command, the database refuses it.
    await expect(
      db.database.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: here.id }, (tx) =>
        tx.insertInto('quorate.watches').values({ workspace_id: here.id, user_id: user.id, run_id: run.id }).execute(),
      ),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is seen by its owner alone, and ends with the membership', async () => {
    const { auditor, admin } = here.members;
    const run = { kind: 'run' as const, id: await startRun(admin) };
    await by(auditor).watch(run);
    expect((await by(auditor).list()).some(({ run_id }) => run_id === run.id)).toBe(true);
    expect((await by(admin).list()).some(({ run_id }) => run_id === run.id)).toBe(false);
    await arrange('delete from quorate.members where user_id = $1', [auditor.id]);
    const { rows } = await db.owner.query('select from quorate.watches where user_id = $1', [auditor.id]);
    expect(rows).toEqual([]);
  });
});
