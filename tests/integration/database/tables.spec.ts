import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project-root.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

type Column = { type: string; wrapper: 'Generated' | 'Defaulted' | 'JsonColumn' | 'plain' };

/** Table → column → how tables.ts writes it. The file is a flat list of object types, one property a line. */
function declaredTables(): Map<string, Map<string, Column>> {
  const source = readFileSync(join(projectRoot(), 'app', 'contracts', 'tables.ts'), 'utf8');
  const bodies = new Map([...source.matchAll(/export type (\w+Table) = \{\n([\s\S]*?)\n\};/g)].map((match) => [match[1], match[2]]));
  const list = /export type Tables = \{\n([\s\S]*?)\n\};/.exec(source)?.[1] ?? '';
  return new Map(
    [...list.matchAll(/'([\w.]+)': (\w+);/g)].map((entry) => {
      const body = bodies.get(entry[2]) ?? '';
      const columns = [...body.matchAll(/^ {2}(\w+): (.+);$/gm)].map((line): [string, Column] => {
        const wrapped = /^(Defaulted|JsonColumn|Generated)<(.*)>$/.exec(line[2] ?? '');
        return [
          line[1] ?? '',
          { type: wrapped?.[2] ?? line[2] ?? '', wrapper: (wrapped?.[1] as Column['wrapper'] | undefined) ?? 'plain' },
        ];
      });
      return [entry[1] ?? '', new Map(columns)];
    }),
  );
}

type Actual = { table: string; column: string; type: string; nullable: boolean; optional: boolean };

async function actualColumns(): Promise<Actual[]> {
  const found = await db.owner.query<Actual>(`
    select n.nspname || '.' || c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
      not a.attnotnull as nullable, (not a.attnotnull or a.atthasdef or a.attidentity <> '') as optional
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and (n.nspname = 'quorate' or (n.nspname = 'public' and c.relname = 'profiles'))
    order by 1, a.attnum`);
  return found.rows;
}

test('tables.ts names exactly the tables and columns of the migrated database', async () => {
  const actual = new Map<string, string[]>();
  for (const { table, column } of await actualColumns()) actual.set(table, [...(actual.get(table) ?? []), column].sort());
  const declared = new Map([...declaredTables()].map(([table, columns]) => [table, [...columns.keys()].sort()]));
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(actual));
});

/** What a value of a PostgreSQL type is to the program (column-types.server.ts). */
const TYPES: Record<string, RegExp> = {
  uuid: /^string$/,
  text: /^(string|('\w+'|[A-Z]\w+)( \| ('\w+'|[A-Z]\w+))*)$/,
  integer: /^number$/,
  bigint: /^number$/,
  boolean: /^boolean$/,
  bytea: /^Uint8Array$/,
  xid8: /^string$/,
  'timestamp with time zone': /^Date$/,
  date: /^Date$/,
  'integer[]': /^number\[\]$/,
  'double precision[]': /^number\[\]$/,
  'text[]': /^(\w+\[\]|\(.*\)\[\])$/,
  'uuid[]': /^string\[\]$/,
};

const JSON_TYPES = new Set(['jsonb', 'quorate.ordered_json']);

test('tables.ts has the type, the null and the default of every column', async () => {
  const declared = declaredTables();
  const faults: string[] = [];
  for (const actual of await actualColumns()) {
    const column = declared.get(actual.table)?.get(actual.column);
    const name = `${actual.table}.${actual.column}`;
    if (!column) continue;
    const bare = column.type.replace(/ \| null$/, '');
    if (JSON_TYPES.has(actual.type)) {
      if (column.wrapper !== 'JsonColumn') faults.push(`${name}: ${actual.type} is a JsonColumn`);
      continue;
    }
    if (!TYPES[actual.type]?.test(bare)) faults.push(`${name}: ${actual.type} is not ${bare}`);
    if (actual.nullable !== / \| null$/.test(column.type)) faults.push(`${name}: ${actual.nullable ? 'may' : 'may not'} be null`);
    if (actual.optional !== (column.wrapper !== 'plain')) faults.push(`${name}: ${actual.optional ? 'may' : 'may not'} be left out`);
  }
  expect(faults).toEqual([]);
});
