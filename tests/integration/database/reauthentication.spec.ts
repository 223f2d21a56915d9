/** That a person proved once more that it is them is believed for one act of theirs, in their session, for minutes (decision 53). */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReauthenticatedAct } from '#app/contracts/statuses.ts';
import { createDatabase } from '#app/platform/database/database.server.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
});
afterAll(() => db.close());

type Who = Pick<TestMember, 'id' | 'sessionId'>;

/** Takes one in a transaction of this member, as the functions do that it is for. Answers how they proved it; null: they did not. */
async function take(member: Who, subject: string, act: ReauthenticatedAct = 'vote', before: () => Promise<unknown> = async () => null) {
  const client = await db.owner.connect();
  try {
    await client.query('begin');
    await client.query('select quorate.become_member($1, $2, $3)', [member.id, member.sessionId, here.id]);
    const { rows } = await client.query('select quorate.take_reauthentication($1, $2) as method', [act, subject]);
    await before();
    await client.query('commit');
    return rows[0].method as string | null;
  } finally {
    client.release();
  }
}

const untilOneWaits = () =>
  expect
    .poll(
      async () =>
        (await db.owner.query(`select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`, [db.name])).rowCount,
    )
    .toBe(1);

describe('a proof', () => {
  test('counts for one act, once, and says how it was given', async () => {
    const { approver } = here.members;
    const subject = newId();
    expect(await take(approver, subject)).toBeNull();
    const who = { userId: approver.id, sessionId: approver.sessionId };
    await db.database.noteReauthentication({ ...who, method: 'password_and_factor', act: 'vote', subjects: [subject] });
    expect(await take(approver, subject)).toBe('password_and_factor');
    expect(await take(approver, subject)).toBeNull();
  });

  test('is of no use to another person, another session, another act or on another thing', async () => {
    const { approver, admin } = here.members;
    const subject = newId();
    await db.prove(approver, subject);
    expect(await take(admin, subject)).toBeNull();
    expect(await take({ id: approver.id, sessionId: await db.makeSession(approver.id) }, subject)).toBeNull();
    expect(await take(approver, newId())).toBeNull();
    expect(await take(approver, subject, 'break_glass')).toBeNull();
    const other = newId();
    await db.prove(admin, other);
    await db.owner.query('update quorate.reauthentications set session_id = $2 where subject_id = $1', [other, approver.sessionId]);
    expect(await take(approver, other)).toBeNull();
    expect(await take(approver, subject)).toBe('password');
  });

  test('is over after five minutes, and gone an hour later', async () => {
    const { approver } = here.members;
    const [subject, old] = [newId(), newId()];
    await db.prove(approver, subject);
    await db.prove(approver, old);
    const { rows } = await db.owner.query(
      'select extract(epoch from expires_at - at)::float as seconds from quorate.reauthentications where subject_id = $1',
      [subject],
    );
    expect(rows[0].seconds).toBeCloseTo(300, 0);
    await db.owner.query('update quorate.reauthentications set expires_at = clock_timestamp() where subject_id = $1', [subject]);
    expect(await take(approver, subject)).toBeNull();
    await db.owner.query(
      `update quorate.reauthentications set expires_at = clock_timestamp() - interval '61 minutes' where subject_id = $1`,
      [old],
    );
    await db.prove(approver, newId());
    const kept = await db.owner.query('select subject_id from quorate.reauthentications where subject_id in ($1, $2)', [subject, old]);
    expect(kept.rows).toEqual([{ subject_id: subject }]);
  });

  test('for several things counts once for each', async () => {
    const { approver } = here.members;
    const subjects = [newId(), newId()];
    const who = { userId: approver.id, sessionId: approver.sessionId };
    await db.database.noteReauthentication({ ...who, method: 'password', act: 'vote', subjects });
    for (const subject of subjects) {
      expect(await take(approver, subject)).toBe('password');
      expect(await take(approver, subject)).toBeNull();
    }
  });

  test('is given to one of two acts at once', async () => {
    const { approver } = here.members;
    const subject = newId();
    await db.prove(approver, subject);
    let second: Promise<string | null> = Promise.resolve('');
    const first = await take(approver, subject, 'vote', () => {
      second = take(approver, subject);
      return untilOneWaits();
    });
    expect([first, await second]).toEqual(['password', null]);
  });

  test('of one process counts in another', async () => {
    const { approver } = here.members;
    const subject = newId();
    const other = createDatabase({ login: db.appLogin, log: quietLog });
    const who = { userId: approver.id, sessionId: approver.sessionId };
    await other.noteReauthentication({ ...who, method: 'password', act: 'vote', subjects: [subject] });
    await other.close();
    expect(await take(approver, subject)).toBe('password');
  });

  test('of a session that is over, or of somebody else’s, is refused', async () => {
    const { approver, admin } = here.members;
    const over = await db.makeSession(approver.id, { notAfter: new Date(Date.now() - 1000) });
    for (const sessionId of [over, admin.sessionId, newId()]) {
      await expect(db.prove({ id: approver.id, sessionId }, newId()), sessionId).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

describe('what a process of Quorate sends to the database', () => {
  /** In a session that a process has opened: `change` is what somebody would say instead of what was proved. */
  const note = (key: string, change: { act?: string; subject?: string; user?: string; pid?: number; late?: number } = {}, times = 1) => {
    const { approver } = here.members;
    const [subject, id] = [newId(), approver.id];
    return db.database.app(async (app) => {
      const asked = await sql<{ pid: number; at: string }>`
        select pg_backend_pid() as pid, (extract(epoch from clock_timestamp()) - ${change.late ?? 0}::int)::text as at`.execute(app);
      const [{ pid, at } = { pid: 0, at: '' }] = asked.rows;
      const message = `reauthenticated ${change.pid ?? pid} ${id} ${approver.sessionId} password vote ${subject} ${at}`;
      const proof = createHmac('sha256', key).update(message).digest();
      for (let n = 0; n < times; n += 1)
        await sql`select quorate.note_reauthentication(${change.user ?? id}, ${approver.sessionId}, 'password', ${change.act ?? 'vote'},
          ${[change.subject ?? subject]}::uuid[], ${at}, ${proof})`.execute(app);
    });
  };
  const stateOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code,
    );

  test('is believed with its key alone, and only what was proved, once, within a minute, where it was proved', async () => {
    const key = db.appLogin.processKey;
    expect(await stateOf(note(key))).toBe('done');
    expect(await stateOf(note('another key'))).toBe('QP008');
    expect(await stateOf(note(key, { act: 'break_glass' }))).toBe('QP008');
    expect(await stateOf(note(key, { subject: newId() }))).toBe('QP008');
    expect(await stateOf(note(key, { user: here.members.admin.id }))).toBe('QP008');
    expect(await stateOf(note(key, { pid: 1 }))).toBe('QP008');
    expect(await stateOf(note(key, { late: 61 }))).toBe('QP008');
    expect(await stateOf(note(key, { late: -61 }))).toBe('QP008');
    expect(await stateOf(note(key, {}, 2))).toBe('QP008');
  });
});
