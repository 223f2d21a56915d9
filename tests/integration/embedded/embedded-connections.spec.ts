/** What a lost connection means to whoever asks: a read is asked again, a change is told, notifications come back. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database, type MemberPrincipal } from '#app/platform/database/database.server.ts';
import { APP_ROLE, appLogin } from '#app/platform/database/database-login.server.ts';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { CONNECTION_BUDGET } from '#app/platform/database/sessions.server.ts';
import { TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let principal: MemberPrincipal;
beforeAll(async () => {
  db = await createTestDatabase();
  const { id, members } = await db.makeWorkspace({ members: [{ roles: ['user'] }] });
  principal = { userId: members[0]?.id ?? '', sessionId: members[0]?.sessionId ?? '', workspaceId: id };
});
afterAll(() => db.close());

const count = () =>
  db.database.asMember(principal, async (tx) => (await tx.selectFrom('quorate.workspaces').select('id').execute()).length, {
    readOnly: true,
  });

beforeEach(async () => {
  expect(await count()).toBe(1);
});

test('idle connections that the server closed are replaced', async () => {
  expect(await db.cutConnections('quorate')).toBeGreaterThan(0);
  expect(await count()).toBe(1);
});

test('a read whose connection is cut under it is asked once more', async () => {
  let attempts = 0;
  const read = db.database.asMember(
    principal,
    async (tx) => {
      attempts += 1;
      if (attempts === 1) await db.cutConnections('quorate');
      return (await sql<{ n: number }>`select 1 as n`.execute(tx)).rows;
    },
    { readOnly: true },
  );
  expect(await read).toEqual([{ n: 1 }]);
  expect(attempts).toBe(2);
});

test('a change whose connection is cut is told and never tried again', async () => {
  let attempts = 0;
  const change = db.database.asMember(principal, async (tx) => {
    attempts += 1;
    await db.cutConnections('quorate');
    await sql`select 1`.execute(tx);
  });
  await expect(change).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' });
  expect(attempts).toBe(1);
});

test('notifications come, come again after the connection was lost, and end when asked', async () => {
  const heard: string[] = [];
  let gaps = 0;
  const stop = await db.database.listen(
    'Test Channel',
    (payload) => heard.push(payload),
    () => {
      gaps += 1;
    },
  );
  const notify = (payload: string) => db.owner.query('select pg_notify($1, $2)', ['Test Channel', payload]);
  await notify('one');
  await expect.poll(() => heard).toEqual(['one']);
  expect(await db.cutConnections('quorate listen')).toBe(1);
  await expect.poll(() => gaps, { timeout: 60_000 }).toBe(1);
  await notify('two');
  await expect.poll(() => heard).toEqual(['one', 'two']);
  await stop();
  await notify('three');
  await notify('four');
  expect(heard).toEqual(['one', 'two']);
});

test('a database that cannot be reached is unavailable, not a defect', async () => {
  const nowhere = createDatabase({ login: { ...db.appLogin, host: '/nonexistent' }, log: quietLog });
  await expect(nowhere.ping()).rejects.toMatchObject({ name: 'AppError', code: 'unavailable' });
  await expect(nowhere.asMember(principal, async () => 1, { readOnly: true })).rejects.toMatchObject({ code: 'unavailable' });
  await expect(nowhere.listen('x', () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  await nowhere.close();
});

test('one process stays within its connections, however many ask', async () => {
  const gate = Promise.withResolvers<void>();
  let inside = 0;
  const asked = Array.from({ length: 30 }, () =>
    db.database.app(async () => {
      inside += 1;
      await gate.promise;
    }),
  );
  await expect.poll(() => inside).toBe(CONNECTION_BUDGET.member);
  const [row] = (
    await db.owner.query(`select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'quorate'`)
  ).rows;
  expect(row).toEqual({ n: CONNECTION_BUDGET.member });
  gate.resolve();
  await Promise.all(asked);
  expect(inside).toBe(30);
});

test('the worker’s pool runs as the worker alone', async () => {
  const roles = await Promise.all(
    Array.from({ length: 4 }, () => db.database.workerPool.query('select session_user::text as login, current_user::text as role')),
  );
  expect(new Set(roles.map((result) => JSON.stringify(result.rows)))).toEqual(
    new Set([JSON.stringify([{ login: APP_ROLE, role: 'quorate_worker' }])]),
  );
});

test('migrating what is migrated changes nothing, two at once wait for each other, and the password follows the key', async () => {
  expect(await Promise.all([migrate(db.ownerLogin, TEST_SECRET_KEY), migrate(db.ownerLogin, TEST_SECRET_KEY)])).toEqual([[], []]);
  const recorded = await db.owner.query(
    'select version, name, cardinality(statements) as n from supabase_migrations.schema_migrations order by version limit 1',
  );
  expect(recorded.rows).toEqual([{ version: '20261122175900', name: 'baseline', n: 1 }]);
  const wrong = new pg.Client(appLogin(db.ownerLogin, 'another key, of more than 32 characters'));
  await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
});

test('starts on two databases of one server, which share its logins, do not trip over each other', async () => {
  const other = await createTestDatabase();
  try {
    for (let round = 0; round < 10; round += 1)
      expect(await Promise.all([db, other].map(({ ownerLogin }) => migrate(ownerLogin, TEST_SECRET_KEY)))).toEqual([[], []]);
  } finally {
    await other.close();
  }
});

test('the queue belongs to the owner, and the application may work with its rows but not change its shape', async () => {
  const bare = (statement: string) => db.database.app(async (tx) => (await sql.raw(statement).execute(tx)).rows);
  expect(await bare('select count(*) as n from pgboss.queue')).toHaveLength(1);
  await expect(bare('alter table pgboss.queue add column x int')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(db.database.asMember(principal, async (tx) => sql`select 1 from pgboss.job`.execute(tx))).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('closing waits for a transaction under way, and may be asked twice', async () => {
  const other: Database = createDatabase({ login: db.appLogin, log: quietLog });
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  const work = other.app(() => {
    begun.resolve();
    return finish.promise;
  });
  await begun.promise;
  const closed = Promise.all([other.close(), other.close()]);
  finish.resolve('done');
  expect(await work).toBe('done');
  await closed;
});
