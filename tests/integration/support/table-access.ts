import pg from 'pg';
import { insertOf, newRow, type RowSubject } from '#tests/integration/support/workspace-rows.ts';

/** Columns that a role may update, by table: a grant covers some of them only. */
export type UpdatableColumns = Map<string, string>;

/** First updatable column of each table for a role. */
export async function updatableColumns(client: pg.ClientBase, role: string): Promise<UpdatableColumns> {
  const found = await client.query<{ table: string; column: string }>(
    `select distinct on (c.relname) c.relname as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'quorate'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and has_column_privilege($1, c.oid, a.attnum, 'update')
     order by c.relname, a.attnum`,
    [role],
  );
  return new Map(found.rows.map((row) => [row.table, row.column]));
}

/** A statement inside a savepoint, undone afterwards: whether it was let through. Anything but a refusal is a fault of the test. */
async function isLetThrough(client: pg.ClientBase, statement: { text: string; values?: unknown[] }): Promise<boolean> {
  await client.query('savepoint attempt');
  try {
    const result = await client.query(statement.text, statement.values ?? []);
    await client.query('rollback to savepoint attempt');
    return (result.rowCount ?? 0) > 0;
  } catch (error) {
    await client.query('rollback to savepoint attempt');
    if (error instanceof pg.DatabaseError && (error.code === '42501' || error.code === 'QP005')) return false;
    // the row stands already: the policies, which are asked first, have let it through
    if (error instanceof pg.DatabaseError && error.code === '23505') return true;
    throw error;
  }
}

/**
 * What the principal of this open transaction may do: some of the letters r, i, u, d, or '-'. Reading, updating and
 * deleting is tried on the row that `where` finds, inserting with a row of `acting`.
 */
export async function accessTo(
  client: pg.ClientBase,
  table: string,
  where: string,
  acting: RowSubject,
  updatable: UpdatableColumns,
): Promise<string> {
  const row = newRow[table];
  if (!row) throw new Error(`no row is known for ${table}`);
  const column = updatable.get(table);
  const letters = [
    (await isLetThrough(client, { text: `select 1 from quorate.${table} where ${where}` })) ? 'r' : '',
    (await isLetThrough(client, insertOf(table, row(acting)))) ? 'i' : '',
    column && (await isLetThrough(client, { text: `update quorate.${table} set ${column} = ${column} where ${where}` })) ? 'u' : '',
    (await isLetThrough(client, { text: `delete from quorate.${table} where ${where}` })) ? 'd' : '',
  ].join('');
  return letters || '-';
}
