/** Whoever has the password of the application's login, and not the instance's key, is nobody in the database (decision 52). */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { processKeyOf } from '#app/platform/database/database-login.server.ts';
import { openSession } from '#app/platform/database/process-proof.server.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { newRow } from '#tests/integration/support/workspace-rows.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
const connected: pg.Client[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
});
afterEach(async () => {
  await Promise.all(connected.splice(0).map((client) => client.end()));
});
afterAll(() => db.close());

/** A session with the password alone. */
async function stolen(): Promise<pg.Client> {
  const client = new pg.Client(db.appLogin);
  connected.push(client);
  await client.connect();
  return client;
}

/** A session that a process of Quorate has opened, as whatever runs in one may use it. */
async function opened(): Promise<pg.Client> {
  const client = await stolen();
  await openSession(client, db.appLogin.processKey);
  return client;
}

/** 'done', or the SQLSTATE of the refusal. */
const answer = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof pg.DatabaseError) return error.code;
      throw error;
    },
  );

/** The settings of an approver's transaction, as far as the login can write them. */
const approverSettings = () => {
  const { approver } = here.members;
  return `set_config('quorate.principal', '${approver.id}|${approver.sessionId}|${here.id}|approver|||', true)`;
};
const becomeApprover = () => {
  const { approver } = here.members;
  return `select quorate.become_member('${approver.id}', '${approver.sessionId}', '${here.id}')`;
};
const vote = () => `select quorate.vote_approval('${here.subject.approvalId}', 'approve', '', 'digest')`;
const proofOf = (key: string, pid: number, at: string) => createHmac('sha256', key).update(`open ${pid} ${at}`).digest();

describe('with the password alone', () => {
  test('nobody becomes a person, a key, a trigger or a worker, though all that these ask for is known', async () => {
    const client = await stolen();
    const { builder } = here.members;
    const { rows } = await db.owner.query('select id from quorate.triggers where workspace_id = $1', [here.id]);
    const ways: [role: string, statement: string][] = [
      ['quorate_member', becomeApprover()],
      ['quorate_member', `select quorate.become_key('\\x${here.key.hash.toString('hex')}')`],
      ['quorate_app', `select quorate.become_trigger('${rows[0].id}', false)`],
      ['quorate_worker', `select quorate.become_worker('${here.id}')`],
      ['quorate_app', `select quorate.memberships_of('${builder.id}', '${builder.sessionId}', 1)`],
      ['quorate_app', `select quorate.open_call('\\x${here.key.hash.toString('hex')}', 600, 600, true)`],
      ['quorate_app', `select quorate.read_run_by_key('\\x${here.key.hash.toString('hex')}', '${here.subject.runId}')`],
    ];
    const session = await opened();
    for (const [role, statement] of ways) {
      await client.query(`begin; set local role ${role}`);
      expect(await answer(client.query(statement)), statement).toBe('QP008');
      await client.query('rollback');
      // Not refused so where a process has opened the session.
      await session.query(`begin; set local role ${role}`);
      expect(await answer(session.query(statement)), statement).not.toBe('QP008');
      await session.query('rollback');
    }
  });

  test('no function of the app or its workers answers, but for the two that only say what everybody may know', async () => {
    const { rows } = await db.owner.query<{ name: string; call: string; role: string }>(
      `select p.proname as name, case when has_function_privilege('quorate_app', p.oid, 'execute') then 'quorate_app' else 'quorate_worker' end as role,
         format('select quorate.%I(%s)', p.proname, (select string_agg('null::' || format_type(t, null), ', ' order by place)
           from unnest(p.proargtypes::oid[]) with ordinality a (t, place))) as call
       from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.prorettype <> 'trigger'::regtype
         and (has_function_privilege('quorate_app', p.oid, 'execute') or has_function_privilege('quorate_worker', p.oid, 'execute'))
         and not has_function_privilege('quorate_member', p.oid, 'execute')`,
    );
    expect(rows.length).toBeGreaterThan(100);
    const client = await stolen();
    const answered: string[] = [];
    for (const { name, call, role } of rows) {
      await client.query(`begin; set local role ${role}`);
      if ((await answer(client.query(call))) !== 'QP008') answered.push(name);
      await client.query('rollback');
    }
    expect(answered.sort()).toEqual(['list_migrations', 'worker_lock']);
  });

  test('settings make nobody: they find no row, and nobody votes', async () => {
    const client = await stolen();
    for (const role of ['quorate_member', 'quorate_worker']) {
      for (const table of Object.keys(newRow)) {
        await client.query(`begin; set local role ${role}; select ${approverSettings()}`);
        const found = client.query(`select from quorate.${table}`).then(({ rowCount }) => rowCount);
        expect([0, '42501'], `${role} ${table}`).toContain(await found.catch((error) => error.code));
        await client.query('rollback');
      }
    }
    await client.query(`begin; set local role quorate_member; select ${approverSettings()}`);
    expect(await answer(client.query(vote()))).toBe('QV001');
    await client.query('rollback');
    await client.query(
      `begin; set local role quorate_member; select ${approverSettings()}, set_config('quorate.seal', '\\x' || repeat('0', 64), true)`,
    );
    expect(await answer(client.query(vote()))).toBe('QP008');
    await client.query('rollback');
  });

  test('no session is opened: not with another key, not late, not with what opened another, and not by setting it', async () => {
    const client = await stolen();
    const { rows } = await client.query('select pg_backend_pid() as pid, extract(epoch from clock_timestamp())::text as at');
    const [{ pid, at }] = rows;
    const open = (when: string, proof: Buffer) => answer(client.query('select quorate.open_session($1, $2)', [when, proof]));
    const { processKey } = db.appLogin;
    expect(await open(at, proofOf(processKeyOf('another secret key of this instance, long enough'), pid, at))).toBe('QP008');
    const late = String(Number(at) - 61);
    expect(await open(late, proofOf(processKey, pid, late))).toBe('QP008');
    const early = String(Number(at) + 61);
    expect(await open(early, proofOf(processKey, pid, early))).toBe('QP008');
    expect(await open('NaN', proofOf(processKey, pid, 'NaN'))).toBe('QP008');
    expect(await open(at, proofOf(processKey, pid + 1, at))).toBe('QP008');
    const other = await opened();
    const { rows: kept } = await other.query(`select current_setting('quorate.session') as mark`);
    await client.query(`select set_config('quorate.session', $1, false)`, [kept[0].mark]);
    expect(await answer(client.query(becomeApprover()))).not.toBe('done');
    await client.query('set role quorate_member');
    expect(await answer(client.query(becomeApprover()))).toBe('QP008');
    await client.query('reset role');
    expect(await open(at, proofOf(processKey, pid, at))).toBe('done');
  });

  test('nobody notes that a person proved who they are, with whatever proof', async () => {
    const { approver } = here.members;
    const note = (at: string, proof: string) =>
      `select quorate.note_reauthentication('${approver.id}', '${approver.sessionId}', 'password', 'vote',
        array['${here.subject.approvalId}']::uuid[], '${at}', '\\x${proof}')`;
    for (const [client, why] of [
      [await stolen(), 'no process has opened the session'],
      [await opened(), 'the proof is another one'],
    ] as const) {
      const { rows } = await client.query('select pg_backend_pid() as pid, extract(epoch from clock_timestamp())::text as at');
      const [{ pid, at }] = rows;
      // what opens a session, and what was made with another key
      for (const proof of [proofOf(db.appLogin.processKey, pid, at), proofOf('another key', pid, at)])
        expect(await answer(client.query(note(at, proof.toString('hex')))), why).toBe('QP008');
      await client.query('begin; set local role quorate_member');
      expect(await answer(client.query(note(at, '00'))), why).toBe('42501');
      await client.query('rollback');
    }
  });

  test('the key is read by nobody, and the functions that hash with it are nobody’s', async () => {
    const client = await opened();
    for (const role of ['quorate_app', 'quorate_member', 'quorate_worker']) {
      for (const statement of [
        'select from quorate.process_key',
        'select from quorate.reauthentications',
        `select quorate.hmac_of('x')`,
        `select quorate.take_reauthentication('vote', '${here.subject.approvalId}')`,
        `insert into quorate.reauthentications (user_id, session_id, method, act, subject_id, proof, expires_at)
          values (gen_random_uuid(), gen_random_uuid(), 'password', 'vote', gen_random_uuid(), '', now())`,
        `select quorate.open_principal(gen_random_uuid(), null, '${here.id}', '{admin}', null, null, null)`,
      ]) {
        await client.query(`begin; set local role ${role}`);
        expect(await answer(client.query(statement)), `${role}: ${statement}`).toBe('42501');
        await client.query('rollback');
      }
    }
  });
});

describe('in a session that a process has opened', () => {
  test('whoever has become somebody changes nothing of who that is', async () => {
    const client = await opened();
    const { approver, admin } = here.members;
    const changes: [string, string][] = [
      [approver.id, admin.id],
      [approver.sessionId, admin.sessionId],
      ['|approver|', '|admin|'],
      ['|approver|', '|approver,admin|'],
      ['|||', `|${here.key.id}||`],
      ['|||', '||runs:start|'],
      ['|||', `|||${here.key.id}`],
    ];
    for (const [from, to] of changes) {
      await client.query(`begin; set local role quorate_member; ${becomeApprover()}`);
      expect(await answer(client.query('select from quorate.runs'))).toBe('done');
      await client.query(`select set_config('quorate.principal', replace(current_setting('quorate.principal'), $1, $2), true)`, [from, to]);
      expect(await answer(client.query('select from quorate.runs')), to).toBe('QP008');
      await client.query('rollback');
    }
  });

  test('a seal ends with its transaction, and is none in another session', async () => {
    const client = await opened();
    await client.query(`begin; set local role quorate_member; ${becomeApprover()}`);
    const { rows } = await client.query(`select current_setting('quorate.seal') as seal`);
    await client.query('commit');
    const forged = `set local role quorate_member; select ${approverSettings()}, set_config('quorate.seal', '${rows[0].seal}', true)`;
    for (const session of [client, await opened()]) {
      await session.query(`begin; ${forged}`);
      expect(await answer(session.query('select from quorate.runs'))).toBe('QP008');
      await session.query('rollback');
    }
  });

  test('what opens it stands in no text that another session of the login is shown', async () => {
    const client = await opened();
    const watcher = await stolen();
    const { rows } = await watcher.query('select query from pg_stat_activity where pid = $1', [
      (await client.query('select pg_backend_pid() as pid')).rows[0].pid,
    ]);
    await openSession(client, db.appLogin.processKey);
    const { rows: after } = await watcher.query(
      `select query from pg_stat_activity where query like '%open_session%' and pid <> pg_backend_pid()`,
    );
    expect(rows).toHaveLength(1);
    expect(after.map(({ query }) => query)).toEqual(['select quorate.open_session($1, $2)']);
  });
});
