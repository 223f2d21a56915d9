import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { insertOf, newRow, type RowSubject } from '#tests/integration/support/workspace-rows.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
let elsewhere: PopulatedWorkspace;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
  elsewhere = await populateWorkspace(db);
});
afterAll(() => db.close());

const seeing = async () => 'let in';
async function refusal(attempt: Promise<unknown>): Promise<{ code: string; state: unknown }> {
  const error = await attempt.then(
    (value) => expect.unreachable(`was let in: ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, state: error.cause instanceof Error && 'code' in error.cause ? error.cause.code : null };
}

describe('becoming a member', () => {
  test('answers the roles of this workspace', async () => {
    const { builder } = here.members;
    expect(
      await db.database.asMember({ userId: builder.id, sessionId: builder.sessionId, workspaceId: here.id }, async (_, roles) => roles),
    ).toEqual(['builder']);
  });

  test('is refused to a session that was revoked, has run out, is another person’s, or never was', async () => {
    const { user, admin } = here.members;
    const revoked = await db.makeSession(user.id);
    await db.owner.query('delete from auth.sessions where id = $1', [revoked]);
    const over = await db.makeSession(user.id, { notAfter: new Date(Date.now() - 1_000) });
    for (const sessionId of [revoked, over, admin.sessionId, newId()])
      for (const workspaceId of [here.id, null])
        expect(await refusal(db.database.asMember({ userId: user.id, sessionId, workspaceId }, seeing))).toEqual({
          code: 'unauthenticated',
          state: 'QP001',
        });
  });

  test('is refused to who is no member, and at once when membership ends', async () => {
    const { admin } = elsewhere.members;
    expect(await refusal(db.database.asMember({ userId: admin.id, sessionId: admin.sessionId, workspaceId: here.id }, seeing))).toEqual({
      code: 'forbidden',
      state: 'QP002',
    });
    const leaver = await db.makeUser();
    const sessionId = await db.makeSession(leaver.id);
    await db.arrange(
      here.id,
      async (client) =>
        void (await client.query(`insert into quorate.members (workspace_id, user_id, name, email) values ($1, $2, 'Leaver', $3)`, [
          here.id,
          leaver.id,
          leaver.email,
        ])),
    );
    const attempt = () => db.database.asMember({ userId: leaver.id, sessionId, workspaceId: here.id }, seeing);
    expect(await attempt()).toBe('let in');
    await db.arrange(here.id, async (client) => void (await client.query('delete from quorate.members where user_id = $1', [leaver.id])));
    expect(await refusal(attempt())).toEqual({ code: 'forbidden', state: 'QP002' });
  });

  test('begins with where one belongs: one’s own workspaces, for a session that stands, and for nobody who is a member already', async () => {
    const { user, admin, builder } = here.members;
    const of = (userId: string, sessionId: string, countUpTo = 100) => db.database.membershipsOf({ userId, sessionId, countUpTo });
    const [mine, ...others] = await of(builder.id, builder.sessionId);
    expect(others).toEqual([]);
    expect(mine).toMatchObject({ workspace: { id: here.id, haltedAt: null }, roles: ['builder'] });
    const { rows } = await db.owner.query(
      'select count(*)::int as unread from quorate.notifications where user_id = $1 and workspace_id = $2 and read_at is null',
      [builder.id, here.id],
    );
    expect(mine?.unread).toBe(rows[0].unread);
    expect((await of(builder.id, builder.sessionId, 0))[0]?.unread).toBe(0);
    const over = await db.makeSession(user.id, { notAfter: new Date(Date.now() - 1_000) });
    for (const sessionId of [over, admin.sessionId, newId()])
      expect(await refusal(of(user.id, sessionId))).toEqual({ code: 'unauthenticated', state: 'QP001' });
    const asMember = db.database.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: here.id }, (tx) =>
      sql`select * from quorate.memberships_of(${admin.id}, ${admin.sessionId}, 1)`.execute(tx),
    );
    expect(await refusal(asMember)).toEqual({ code: 'forbidden', state: '42501' });
  });

  test('takes nothing but ids into its statement', async () => {
    const attempt = () =>
      db.database.asMember({ userId: `${newId()}'; drop schema quorate --`, sessionId: newId(), workspaceId: null }, seeing);
    expect(attempt).toThrow(TypeError);
  });

  test('leaves nothing on the connection that the next principal could use', async () => {
    const { builder } = here.members;
    await db.database.asMember({ userId: builder.id, sessionId: builder.sessionId, workspaceId: here.id }, seeing);
    const after = await db.database.app((bare) =>
      sql<{
        role: string;
        principal: string;
        seal: string;
      }>`select current_user::text as role, coalesce(current_setting('quorate.principal', true), '') as principal, coalesce(current_setting('quorate.seal', true), '') as seal`.execute(
        bare,
      ),
    );
    expect(after.rows).toEqual([{ role: 'quorate_app', principal: '', seal: '' }]);
  });
});

describe('becoming a key', () => {
  const startOf = ({ subject }: PopulatedWorkspace) => ({
    runId: newId(),
    artifactId: subject.artifactId,
    versionId: subject.versionId,
    triggerKind: 'mcp',
    input: {},
    subject: null,
    requestKey: null,
    name: 'Started',
    room: 100,
    place: 1,
    belowQuota: null,
    event: { id: newId(), payload: '{}', salt: randomBytes(32) },
    worker: null,
  });
  async function makeKey(userId: string, values: { scopes?: string[]; expiresAt?: Date; revokedAt?: Date }): Promise<Buffer> {
    const hash = createHash('sha256').update(randomBytes(16)).digest();
    await db.arrange(here.id, async (client) => {
      await client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, expires_at, revoked_at) values ($1, $2, $3, 'K', 'qk', $4, $5, $6, $7)`,
        [newId(), here.id, userId, hash, values.scopes ?? ['runs:read'], values.expiresAt ?? null, values.revokedAt ?? null],
      );
    });
    return hash;
  }
  const rolesOf = async (hash: Buffer) => (await db.database.openCall(hash, { usual: 600, ceiling: 600, serves: false })).roles;

  const waysOf = (hash: Buffer): (() => Promise<unknown>)[] => [
    () => rolesOf(hash),
    () => db.database.asKey(hash, seeing),
    () => db.database.readRunByKey(hash, here.subject.runId),
    () => db.database.startRunByKey(hash, startOf(here)),
    () => db.database.startRunByKey(hash, { ...startOf(here), worker: { id: newId(), ceiling: null } }),
  ];

  test('gives what both its scopes and its member’s roles allow', async () => {
    const person = await db.makeUser();
    await db.arrange(
      here.id,
      async (client) =>
        void (await client.query(
          `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,builder,approver}', 'Many', $3)`,
          [here.id, person.id, person.email],
        )),
    );
    const seesOf = (scopes: string[], table: string) =>
      makeKey(person.id, { scopes }).then((hash) =>
        db.database.asKey(hash, async (tx) => (await sql`select from ${sql.table(`quorate.${table}`)}`.execute(tx)).rows.length > 0),
      );
    // the builder that the person is sees runs and drafts; nobody but an auditor or admin reads the whole log
    expect(await seesOf(['runs:read'], 'runs')).toBe(true);
    expect(await seesOf(['runs:read'], 'drafts')).toBe(false);
    expect(await seesOf(['workflows:read'], 'drafts')).toBe(true);
    expect(await seesOf(['workflows:read'], 'runs')).toBe(false);
    expect(await seesOf(['audit:read'], 'audit_events')).toBe(false);
    const writes = (scopes: string[]) =>
      makeKey(person.id, { scopes }).then((hash) =>
        db.database.asKey(hash, async (tx) => {
          const id = newId();
          await tx
            .insertInto('quorate.artifacts')
            .values({ id, workspace_id: here.id, kind: 'workflow', name: 'W', owner_id: person.id })
            .execute();
          await sql`select quorate.rename_self('nobody')`.execute(tx);
          throw new Error('written');
        }),
      );
    await expect(writes(['workflows:write', 'workflows:read'])).rejects.toThrow('written');
    expect(await refusal(writes(['workflows:read', 'runs:start']))).toMatchObject({ code: 'forbidden' });
  });

  test('inserts a claimed run in its own name alone, with the scope to start runs, and reads none of another by it', async () => {
    const person = here.members.builder;
    const [workflow, version] = [newId(), newId()];
    await db.arrange(here.id, async (client) => {
      await client.query(
        `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'W', $3, 'active')`,
        [workflow, here.id, person.id],
      );
      await client.query(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
        [version, here.id, workflow, here.members.admin.id],
      );
    });
    const run = newId();
    const inserts = async (scopes: string[]) => {
      const hash = await makeKey(person.id, { scopes });
      return db.database.asKey(hash, async (tx) => {
        const { rows } = await sql<{ claim: { [key: string]: unknown } }>`
          select i.claim from quorate.insert_claimed_run(${run}, ${workflow}, ${version}, 'api', '{"n":1}', null, ${newId()}, 1, null) i`.execute(
          tx,
        );
        const owner = await sql<{ id: string }>`select initiator_id as id from quorate.runs where id = ${run}`.execute(tx);
        throw Object.assign(new Error('inserted'), { claim: rows[0]?.claim, owner: owner.rows[0]?.id });
      });
    };
    await expect(inserts(['runs:read', 'workflows:write'])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(inserts(['runs:start'])).rejects.toMatchObject({
      message: 'inserted',
      owner: person.id,
      claim: { state: 'claimed', attempt: 1 },
    });
    const hash = await makeKey(person.id, { scopes: ['runs:start'] });
    const describes = db.database.asKey(hash, (tx) => sql`select quorate.describe_claim(r, 1) from quorate.runs r`.execute(tx));
    await expect(describes).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('never administers: the key of an admin reads like an auditor', async () => {
    const hash = await makeKey(here.members.admin.id, { scopes: ['audit:read', 'workflows:write'] });
    expect(await rolesOf(hash)).toEqual(['user', 'auditor']);
    const halt = db.database.asKey(hash, (tx) => tx.updateTable('quorate.workspaces').set({ halted_at: new Date() }).executeTakeFirst());
    expect((await halt).numUpdatedRows).toBe(0n);
  });

  test('is refused when unknown, revoked, expired, or when its member is gone', async () => {
    const { builder } = here.members;
    const past = new Date(Date.now() - 1_000);
    for (const hash of [randomBytes(32), await makeKey(builder.id, { revokedAt: past }), await makeKey(builder.id, { expiresAt: past })])
      for (const way of waysOf(hash)) expect(await refusal(way())).toEqual({ code: 'unauthenticated', state: 'QP003' });
    const leaver = await db.makeUser();
    await db.arrange(
      here.id,
      async (client) =>
        void (await client.query(`insert into quorate.members (workspace_id, user_id, name, email) values ($1, $2, 'Leaver', $3)`, [
          here.id,
          leaver.id,
          leaver.email,
        ])),
    );
    const hash = await makeKey(leaver.id, {});
    expect(await rolesOf(hash)).toEqual(['user']);
    await db.arrange(here.id, async (client) => void (await client.query('delete from quorate.members where user_id = $1', [leaver.id])));
    for (const way of waysOf(hash)) expect(await refusal(way())).toMatchObject({ code: 'unauthenticated' });
  });

  test('reads in one statement no run that its scopes or its workspace keep from it, and leaves nothing on the connection', async () => {
    const { builder } = here.members;
    const readers = [['runs:read'], ['runs:start'], ['workflows:read', 'approvals:read']];
    const hashes = await Promise.all(readers.map((scopes) => makeKey(builder.id, { scopes })));
    const read = async (runId: string) => Promise.all(hashes.map(async (hash) => (await db.database.readRunByKey(hash, runId))?.id));
    expect(await read(here.subject.runId)).toEqual([here.subject.runId, here.subject.runId, undefined]);
    for (const runId of [elsewhere.subject.runId, newId()]) expect(await read(runId)).toEqual([undefined, undefined, undefined]);
    for (const hash of hashes) await db.database.openCall(hash, { usual: 600, ceiling: 600, serves: true });
    const left = () =>
      db.database.app((bare) =>
        sql<{
          role: string;
          principal: string;
          seal: string;
        }>`select current_user::text as role, coalesce(current_setting('quorate.principal', true), '') as principal, coalesce(current_setting('quorate.seal', true), '') as seal`.execute(
          bare,
        ),
      );
    for (const { rows } of await Promise.all(Array.from({ length: 8 }, left)))
      expect(rows).toEqual([{ role: 'quorate_app', principal: '', seal: '' }]);
  });

  test.each([
    ['what the workspace has chosen', { keys: 2 }, { usual: 5, ceiling: 9 }, 2],
    ['no more than the instance allows', { keys: 8 }, { usual: 5, ceiling: 3 }, 3],
    ['the usual where nothing is chosen', {}, { usual: 2, ceiling: 9 }, 2],
    ['the usual where what is chosen is no pace', { keys: '7' }, { usual: 2, ceiling: 9 }, 2],
    ['the usual where what is chosen is a fraction', { keys: 7.5 }, { usual: 2, ceiling: 9 }, 2],
  ])('is counted in each call, up to %s', async (_, paces, limits, allowed) => {
    await db.arrange(
      here.id,
      async (client) =>
        void (await client.query('update quorate.workspaces set settings = $2 where id = $1', [here.id, JSON.stringify({ paces })])),
    );
    const hash = await makeKey(here.members.builder.id, {});
    const waits: number[] = [];
    for (let n = 0; n <= allowed; n += 1) waits.push((await db.database.openCall(hash, { ...limits, serves: true })).waitSeconds);
    expect(waits.map((wait) => wait > 0)).toEqual([...Array.from({ length: allowed }, () => false), true]);
  });

  test('is told by the digest of each change of what it may start, and of nothing else', async () => {
    const owner = here.members.builder.id;
    const hash = await makeKey(owner, { scopes: ['runs:start'] });
    const digest = async () => (await db.database.openCall(hash, { usual: 600, ceiling: 600, serves: true })).servedRevision;
    const write = (text: string, values: unknown[]) => db.arrange(here.id, async (client) => void (await client.query(text, values)));
    const [workflow, first, second] = [newId(), newId(), newId()];
    const seen = [await digest()];
    await write(
      `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'W', $3, 'active')`,
      [workflow, here.id, owner],
    );
    expect(await digest()).toBe(seen[0]);
    for (const [n, id] of [first, second].entries())
      await write(
        `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, $4, '{}', 'h', $5)`,
        [id, here.id, workflow, n + 1, here.members.admin.id],
      );
    for (const change of [
      `published_version_id = '${first}'`,
      `name = 'Renamed'`,
      `description = 'Said otherwise'`,
      `published_version_id = '${second}'`,
      `status = 'inactive'`,
    ]) {
      await write(`update quorate.artifacts set ${change} where id = $1`, [workflow]);
      seen.push(await digest());
    }
    await write(`update quorate.artifacts set status = 'active' where id = $1`, [workflow]);
    expect(await digest()).toBe(seen[4]);
    await write(`update quorate.artifacts set updated_at = now(), tags = '{x}' where id = $1`, [workflow]);
    expect(await digest()).toBe(seen[4]);
    await write(`update quorate.artifacts set deleted_at = now() where id = $1`, [workflow]);
    // paused, and gone: as it was before
    expect([await digest(), seen[5]]).toEqual([seen[0], seen[0]]);
    expect(new Set(seen).size).toBe(5);
  });
});

describe('a transaction', () => {
  const asBuilder = () => ({ userId: here.members.builder.id, sessionId: here.members.builder.sessionId, workspaceId: here.id });

  test('cannot be left by its principal', async () => {
    const escapes = ['set role quorate_app', 'reset role', `set local role quorate_worker`];
    for (const statement of escapes) {
      const seen = await db.database
        .asMember(asBuilder(), async (tx) => {
          await sql.raw(statement).execute(tx);
          return await sql`select count(*)::int as n from quorate.workspaces`.execute(tx);
        })
        .then(
          (result) => result.rows,
          (error: unknown) => (error instanceof AppError ? error.code : error),
        );
      // whichever role it reaches, it sees no more than one workspace’s rows
      expect(statement.includes('worker') ? [[{ n: 1 }], 'forbidden'] : ['forbidden']).toContainEqual(seen);
    }
  });

  test('works off queries that come together one after the other', async () => {
    const sums = await db.database.asMember(asBuilder(), (tx) =>
      Promise.all([1, 2, 3].map(async (n) => (await sql<{ n: number }>`select ${n}::int as n`.execute(tx)).rows[0]?.n)),
    );
    expect(sums).toEqual([1, 2, 3]);
  });

  test('refuses a query after its end, and a transaction inside it', async () => {
    const kept = await db.database.asMember(asBuilder(), async (tx) => {
      await expect(tx.transaction().execute(seeing)).rejects.toThrow('transaction already');
      return { tx };
    });
    await expect(kept.tx.selectFrom('quorate.workspaces').selectAll().execute()).rejects.toThrow('the transaction is over');
  });

  test('reads only when it is for reading', async () => {
    const attempt = db.database.asMember(
      asBuilder(),
      (tx) => tx.insertInto('quorate.preferences').values({ user_id: here.members.builder.id }).execute(),
      { readOnly: true },
    );
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable', cause: { code: '25006' } });
  });

  test('undoes everything when its work throws', async () => {
    const fault = new Error('no');
    const id = newId();
    const attempt = db.database.asMember(asBuilder(), async (tx) => {
      await tx
        .insertInto('quorate.saved_views')
        .values({ id, workspace_id: here.id, user_id: here.members.builder.id, area: 'runs', name: 'Mine', query: '' })
        .execute();
      throw fault;
    });
    await expect(attempt).rejects.toBe(fault);
    expect((await db.owner.query('select from quorate.saved_views where id = $1', [id])).rowCount).toBe(0);
  });

  test('brings numbers, dates, documents and bytes as the program has them', async () => {
    const result = await db.database.asMember(asBuilder(), (tx) =>
      sql`select 7::int8 as n, 1.5::numeric as d, '{"a":[1]}'::jsonb as j, '2026-11-20T10:00:00Z'::timestamptz as t, '\\x01'::bytea as b, array[1,2]::int8[] as ns`.execute(
        tx,
      ),
    );
    expect(result.rows).toEqual([{ n: 7, d: 1.5, j: { a: [1] }, t: new Date('2026-11-20T10:00:00Z'), b: Buffer.from([1]), ns: [1, 2] }]);
  });
});

test('a worker of no workspace, or of an unknown one, is refused', async () => {
  expect(await refusal(db.database.asWorker(newId(), seeing))).toEqual({ code: 'not_found', state: 'QP004' });
  const rows = await db.database.workerPool.query('select from quorate.runs');
  expect(rows.rowCount).toBe(0);
});

test('nobody but those named may call a function of ours', async () => {
  const open = await db.owner.query<{ name: string }>(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'quorate'::regnamespace and p.prorettype <> 'trigger'::regtype and p.proname <> 'session_stands'
      -- What an extension brings (pg_trgm compares texts that it is given) reads no table, and nobody but us may look into the schema.
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))`);
  expect(open.rows).toEqual([]);
});

test('every function that runs as the owner fixes its search path', async () => {
  const loose = await db.owner.query(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace in ('quorate'::regnamespace, 'public'::regnamespace) and p.prosecdef and not coalesce(p.proconfig::text like '%search_path=%', false)`);
  expect(loose.rows).toEqual([]);
});

test('every table has row level security', async () => {
  const open = await db.owner.query(
    `select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'quorate'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  );
  expect(open.rows).toEqual([]);
});

test('the application’s login may do nothing that a policy does not hold', async () => {
  const login = await db.owner.query(
    `select rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb from pg_roles where rolname = 'quorate_app'`,
  );
  expect(login.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolinherit: false, rolcreaterole: false, rolcreatedb: false }]);
});

test('every view reads with the rights of who asks', async () => {
  const lent = await db.owner.query(
    `select c.oid::regclass::text as name from pg_class c where c.relnamespace in ('quorate'::regnamespace, 'public'::regnamespace)
       and (c.relkind = 'm' or c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false))
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  );
  expect(lent.rows).toEqual([]);
});

test('what belongs to a workspace refers to rows of that workspace alone', async () => {
  const references = await db.owner.query<{ child: string; parent: string; together: boolean }>(`
    with scoped as (select attrelid as id, attnum from pg_attribute where attname = 'workspace_id' and not attisdropped)
    select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
      (array_position(c.conkey, a.attnum) is not null and array_position(c.conkey, a.attnum) = array_position(c.confkey, b.attnum)) as together
    from pg_constraint c join scoped a on a.id = c.conrelid join scoped b on b.id = c.confrelid
    where c.contype = 'f' and c.connamespace = 'quorate'::regnamespace`);
  expect(references.rows.length).toBeGreaterThan(10);
  expect(references.rows.filter(({ together }) => !together)).toEqual([]);
});

/** Tables whose rows name another row, and by which of the ids. */
const PARENTS = {
  artifactId: ['drafts', 'versions', 'triggers', 'runs'],
  versionId: ['runs'],
  connectionId: ['capabilities'],
  runId: ['steps', 'decisions', 'approvals'],
  approvalId: ['approval_votes', 'approval_comments'],
  changeId: ['control_votes'],
  actorId: ['api_keys'],
} as const satisfies Partial<Record<keyof RowSubject, readonly (keyof typeof newRow)[]>>;

test.each(Object.entries(PARENTS).flatMap(([parent, children]) => children.map((child) => [child, parent] as const)))(
  'quorate.%s takes no %s of another workspace, the owner’s hand neither',
  async (child, parent) => {
    const row = newRow[child];
    if (row === undefined) throw new Error(`no row of ${child}`);
    const insert = insertOf(child, row({ ...here.subject, [parent]: elsewhere.subject[parent as keyof RowSubject] }));
    await expect(db.owner.query(insert.text, insert.values)).rejects.toMatchObject({ code: '23503' });
  },
);

test('a run takes up no run of another workspace again', async () => {
  const insert = insertOf('runs', { ...newRow.runs?.(here.subject), parent_run_id: elsewhere.subject.runId });
  await expect(db.owner.query(insert.text, insert.values)).rejects.toMatchObject({ code: '23503' });
});
