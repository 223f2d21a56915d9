/** What policies alone cannot say: which change of a row, by whom, and what becomes visible when something is published. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
});
afterAll(() => db.close());

/** Does the work and undoes it: answers 'done', 'nothing' when no row was within reach, or the SQLSTATE of the refusal. */
async function attempt(become: (work: (tx: Db) => Promise<never>) => Promise<never>, statement: string): Promise<unknown> {
  const undo = new Error('undo');
  let rows = 0n;
  try {
    return await become(async (tx) => {
      rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n;
      throw undo;
    });
  } catch (error) {
    if (error === undo) return rows > 0n ? 'done' : 'nothing';
    if (error instanceof AppError && error.cause instanceof Error && 'code' in error.cause) return error.cause.code;
    throw error;
  }
}
const as = (member: TestMember) => (work: (tx: Db) => Promise<never>) =>
  db.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: here.id }, work);
const asKey = (work: (tx: Db) => Promise<never>) => db.database.asKey(here.key.hash, work);
const count = (member: TestMember, from: string) =>
  db.database.asMember(
    { userId: member.id, sessionId: member.sessionId, workspaceId: here.id },
    async (tx) => (await sql<{ n: number }>`select count(*) as n from ${sql.raw(from)}`.execute(tx)).rows[0]?.n,
  );

test('a capability is approved by an approver or an admin, in their own name, as it is now, and never by a key', async () => {
  const approve = (by: string, fingerprint: string) =>
    `update quorate.capabilities set approved_fingerprint = '${fingerprint}', approved_by = '${by}' where ${here.rowOf.capabilities}`;
  const { builder, approver, admin } = here.members;
  expect(await attempt(as(approver), approve(approver.id, 'f'))).toBe('done');
  expect(await attempt(as(admin), approve(admin.id, 'f'))).toBe('done');
  expect(await attempt(as(builder), approve(builder.id, 'f'))).toBe('QP005');
  expect(await attempt(as(approver), approve(admin.id, 'f'))).toBe('QP005');
  expect(await attempt(as(approver), approve(approver.id, 'what it was before'))).toBe('QP005');
  expect(await attempt(asKey, approve(builder.id, 'f'))).toBe('nothing');
});

test('personal data is allowed to a connection by nobody alone, and whoever may ask for it changes nothing else by it', async () => {
  const allow = `update quorate.connections set personal_data_allowed = true where ${here.rowOf.connections}`;
  const { builder, approver, admin } = here.members;
  for (const member of [approver, admin, builder]) expect(await attempt(as(member), allow)).toBe('QP005');
  const repeat = allow.replace('personal_data_allowed', 'idempotent');
  for (const member of [approver, admin, builder]) expect(await attempt(as(member), repeat)).toBe('QP005');
  expect(await attempt(asKey, allow)).toBe('nothing');
  expect(await attempt(as(approver), `update quorate.connections set name = 'Mine' where ${here.rowOf.connections}`)).toBe('QP005');
  expect(
    await attempt(as(builder), `update quorate.connections set endpoint = 'https://elsewhere.example' where ${here.rowOf.connections}`),
  ).toBe('QP005');
});

test('a row is never moved to another workspace', async () => {
  const elsewhere = await populateWorkspace(db);
  for (const table of ['artifacts', 'connections', 'runs', 'members', 'triggers']) {
    const member = table === 'members' ? here.members.admin : here.members.builder;
    expect(await attempt(as(member), `update quorate.${table} set workspace_id = '${elsewhere.id}' where ${here.rowOf[table]}`)).toBe(
      '42501',
    );
  }
});

test('nobody makes a member’s roles but an admin, and nobody takes another’s name for an event', async () => {
  const { user, builder, admin } = here.members;
  const give = (roles: string) =>
    `update quorate.members set roles = '{${roles}}' where workspace_id = '${here.id}' and user_id = '${user.id}' returning 1`;
  const promote = give('user,builder');
  const rolesAfter = async (member: TestMember) => {
    let changed: unknown;
    await attempt(as(member), promote);
    await db.database
      .asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: here.id }, async (tx) => {
        changed = (await sql.raw(promote).execute(tx)).rows.length;
        throw new Error('undo');
      })
      .catch(() => undefined);
    return changed;
  };
  expect([await rolesAfter(user), await rolesAfter(builder), await rolesAfter(admin)]).toEqual([0, 0, 1]);
  // a role of control needs another person's agreement
  for (const roles of ['user,admin', 'user,approver', 'user,auditor']) expect(await attempt(as(admin), give(roles))).toBe('QP005');
  const event = (actor: string) =>
    `insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id) values ('${newId()}', '${here.id}', 'member', '${actor}', 'test.done', 'workspace', 'x')`;
  expect(await attempt(as(user), event(user.id))).toBe('done');
  expect(await attempt(as(user), event(admin.id))).toBe('42501');
});

test('a member’s event says that a member did it, when it was written and in which transaction', async () => {
  const { user } = here.members;
  const event = (kind: string, column = '', value = '') =>
    `insert into quorate.audit_events (id, workspace_id, actor_id, action, resource_kind, resource_id, actor_kind${column}) values ('${newId()}', '${here.id}', '${user.id}', 'test.done', 'workspace', 'x', '${kind}'${value})`;
  expect(await attempt(as(user), event('member'))).toBe('done');
  for (const kind of ['key', 'trigger', 'peer', 'worker', 'system']) expect(await attempt(as(user), event(kind))).toBe('42501');
  expect(await attempt(as(user), event('member', ', at', ", '2020-01-01'"))).toBe('42501');
  expect(await attempt(as(user), event('member', ', xid', ", '1'"))).toBe('42501');
  expect(await attempt(as(user), event('member', ', body_digest', ", '\\x00'"))).toBe('42501');
});

test('a member ends a run by asking for it, in their own name, and says nothing of what became of it', async () => {
  const { builder, admin } = here.members;
  const change = (what: string) => `update quorate.runs set ${what} where ${here.rowOf.runs}`;
  const asks = (who: string) => change(`cancel_requested_at = clock_timestamp(), cancelled_by = '${who}'`);
  expect(await attempt(as(builder), asks(builder.id))).toBe('done');
  expect(await attempt(as(builder), asks(admin.id))).toBe('42501');
  for (const what of ["status = 'completed'", 'finished_at = clock_timestamp()', "output = '{}'", 'attempt = 9', "journal_hash = 'x'"])
    expect(await attempt(as(builder), change(what))).toBe('42501');
  const start = (column: string, value: string) =>
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, ${column}) values ('${newId()}', '${here.id}', '${here.subject.artifactId}', '${here.subject.versionId}', 'live', '${builder.id}', ${value})`;
  expect(await attempt(as(builder), start('created_at', "'2020-01-01'"))).toBe('42501');
  expect(await attempt(as(builder), start('output', "'{}'"))).toBe('42501');
});

test('a key is made for oneself alone, an admin’s too, and once revoked it stays so', async () => {
  const { user, admin } = here.members;
  const make = (owner: TestMember) =>
    `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ('${newId()}', '${here.id}', '${owner.id}', 'Key', 'qk', decode(md5(random()::text), 'hex'), '{runs:read,runs:start}')`;
  expect(await attempt(as(admin), make(admin))).toBe('done');
  expect(await attempt(as(admin), make(user))).toBe('42501');
  const set = (value: string) => `update quorate.api_keys set revoked_at = ${value} where ${here.rowOf.api_keys}`;
  expect(await attempt(as(admin), set('clock_timestamp()'))).toBe('done');
  const revive = as(admin)(async (tx) => {
    await sql.raw(set('clock_timestamp()')).execute(tx);
    await sql.raw(set('null')).execute(tx);
    throw new Error('revoked no longer');
  });
  await expect(revive).rejects.toMatchObject({ code: 'QA003' });
});

test('nobody becomes a member but by an invitation that they accept', async () => {
  const { admin } = here.members;
  const add = `insert into quorate.members (workspace_id, user_id, name, email) values ('${here.id}', '${here.newcomer.id}', 'New', 'new@example.com')`;
  expect(await attempt(as(admin), add)).toBe('42501');
});

test('a plain user sees what is published, never a draft, and of runs their own', async () => {
  const { user, builder } = here.members;
  const artifact = `quorate.artifacts where id = '${here.subject.artifactId}'`;
  const version = `quorate.versions where id = '${here.subject.versionId}'`;
  const draft = `quorate.drafts where artifact_id = '${here.subject.artifactId}'`;
  expect([await count(user, artifact), await count(user, version), await count(user, draft), await count(user, 'quorate.runs')]).toEqual([
    0, 0, 0, 0,
  ]);
  await db.arrange(
    here.id,
    async (client) =>
      void (await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [
        here.subject.artifactId,
        here.subject.versionId,
      ])),
  );
  expect([await count(user, artifact), await count(user, version), await count(user, draft)]).toEqual([1, 1, 0]);
  await db.arrange(
    here.id,
    async (client) =>
      void (await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id) values ($1, $2, $3, $4, 'live', $5)`,
        [newId(), here.id, here.subject.artifactId, here.subject.versionId, user.id],
      )),
  );
  expect([await count(user, 'quorate.runs'), await count(builder, 'quorate.runs')]).toEqual([1, 2]);
  expect([await count(user, 'quorate.steps'), await count(user, 'quorate.decisions'), await count(user, 'quorate.approvals')]).toEqual([
    0, 0, 0,
  ]);
});

test('a plain user starts live runs in their own name and nothing else', async () => {
  const { user, builder } = here.members;
  const start = (initiator: string, mode: string, status = 'pending') =>
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ('${newId()}', '${here.id}', '${here.subject.artifactId}', '${here.subject.versionId}', '${mode}', '${initiator}', '${status}')`;
  expect(await attempt(as(user), start(user.id, 'live'))).toBe('done');
  expect(await attempt(as(user), start(builder.id, 'live'))).toBe('42501');
  expect(await attempt(as(user), start(user.id, 'test'))).toBe('42501');
  expect(await attempt(as(user), start(user.id, 'live', 'completed'))).toBe('42501');
  expect(await attempt(as(builder), start(builder.id, 'test'))).toBe('done');
});
