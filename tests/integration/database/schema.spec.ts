/** One truth of the database's shape: what the schema files declare, what migrations make, and what older databases become. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { v7 as newId } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { knownMigrations } from '#app/platform/database/schema-version.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';
import { TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

type Applied = { version: string; name: string; text: string };

const opened: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  opened.push(database);
  return database;
}

/** Accounts and nothing of ours: as an instance begins. */
async function openEmpty(): Promise<TestDatabase> {
  const database = await open();
  await database.owner.query(`
    drop schema quorate cascade;
    drop table public.profiles cascade;
    drop function public.guard_profile_role;
    delete from supabase_migrations.schema_migrations;
  `);
  return database;
}

async function applyAll(database: TestDatabase, texts: readonly string[]): Promise<void> {
  const client = await database.owner.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    // its settings are not the pool's
    client.release(true);
  }
}

const migrated = async () => describeSchema((await open()).owner);

function earlierVersion(): Applied[] {
  const packed = readFileSync(join(projectRoot(), 'tests/integration/fixtures/schema-20261120181000.json.gz'));
  return JSON.parse(gunzipSync(packed).toString('utf8')) as Applied[];
}

/** The objects that only one of them has, or that they define differently. */
const differences = (one: Record<string, string>, other: Record<string, string>) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => one[key] !== other[key])
    .map((key) => ({ key, one: one[key], other: other[key] }));

const listed = async (database: TestDatabase) =>
  (await database.owner.query<{ version: string }>('select version from supabase_migrations.schema_migrations order by 1')).rows.map(
    ({ version }) => version,
  );

test('migrations make what the schema files declare', async () => {
  const folder = join(projectRoot(), 'supabase', 'schemas');
  const files = readdirSync(folder).sort();
  const declared = await openEmpty();
  await applyAll(
    declared,
    files.map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const description = await describeSchema(declared.owner);
  expect(Object.keys(description).length).toBeGreaterThan(700);
  expect(differences(description, await migrated())).toEqual([]);
});

test('a function, a right, a policy or a column that differs is found', async () => {
  const { owner } = await open();
  const before = await describeSchema(owner);
  await owner.query(`
    create or replace function quorate.runs_at_once(p_settings jsonb, p_ceiling int) returns int language sql immutable as $$ select 1 $$;
    revoke select on quorate.runs from quorate_member;
    alter policy worker_reads on quorate.runs using (true);
    alter table quorate.runs alter column mode drop not null;
  `);
  const after = await describeSchema(owner);
  expect(differences(before, after).map(({ key }) => key)).toEqual([
    'table quorate.runs',
    'columns quorate.runs',
    'policy quorate.runs worker_reads',
    'function quorate.runs_at_once(jsonb,integer)',
  ]);
});

test('a database of an earlier version becomes the same, keeps what it holds, and forgets the names of migrations that are no more', async () => {
  const database = await openEmpty();
  const earlier = earlierVersion();
  await applyAll(
    database,
    earlier.map(({ text }) => text),
  );
  await database.owner.query(
    `insert into supabase_migrations.schema_migrations (version, name, statements)
      select x.version, x.name, array[x.text] from jsonb_to_recordset($1::jsonb) as x (version text, name text, text text)`,
    [JSON.stringify(earlier)],
  );
  await database.owner.query(`insert into supabase_migrations.schema_migrations (version, name, statements)
    values ('20260101000000', 'another_project', array['create table public.theirs ()'])`);
  const id = newId();
  await database.arrange(id, async (client) => {
    await client.query(`insert into quorate.workspaces (id, name, slug) values ($1, 'Long established', 'long-established')`, [id]);
  });

  const applied = await migrate(database.ownerLogin, TEST_SECRET_KEY);
  expect(applied.length).toBeGreaterThan(20);
  expect(differences(await describeSchema(database.owner), await migrated())).toEqual([]);
  expect(await listed(database)).toEqual(['20260101000000', ...knownMigrations()]);
  const { rows } = await database.owner.query('select name, private_network from quorate.workspaces where id = $1', [id]);
  expect(rows).toEqual([{ name: 'Long established', private_network: 'instance' }]);
  // and a second start changes nothing
  expect(await migrate(database.ownerLogin, TEST_SECRET_KEY)).toEqual([]);
});

test('a database that is older than the upgrades begin is refused with the way on, and left as it is', async () => {
  const database = await openEmpty();
  const [first] = earlierVersion();
  await database.owner.query(first?.text ?? '');
  await database.owner.query('insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)', [
    first?.version,
    first?.name,
    [first?.text],
  ]);
  await expect(migrate(database.ownerLogin, TEST_SECRET_KEY)).rejects.toThrow(/older than 20261120181000\. Start a version .* once/);
  expect(await listed(database)).toEqual([first?.version]);
});

test('no line of SQL is longer than 140 characters', () => {
  const folder = join(projectRoot(), 'supabase');
  const long = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 140 ? [`${file}:${index + 1}`] : [])),
    );
  expect(long).toEqual([]);
});
