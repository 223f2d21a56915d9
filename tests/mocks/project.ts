/** Contents of the mocked project that are a front-end developer's to change: tables behind rest/v1, functions of the database and of the edge. */
import { randomUUID } from 'node:crypto';

export type Row = Record<string, unknown>;

/**
 * Tables of the schema `public` beside `profiles`, with the rows that they start with and what a new row gets by default. Signed-in people
 * read and write all rows. Rows live as long as the process; a table that is added here appears at once.
 */
export const TABLES: Readonly<Record<string, { rows: readonly Row[]; defaults(): Row }>> = {
  notes: {
    rows: [{ id: '0198f7a0-0000-7000-8000-000000000001', text: 'Read me first', pinned: true, created_at: '2026-01-05T09:00:00.000Z' }],
    defaults: () => ({ id: randomUUID(), text: '', pinned: false, created_at: new Date().toISOString() }),
  },
};

/** Functions of the database, by the name that `supabase.rpc` calls. */
export const DATABASE_FUNCTIONS: Readonly<Record<string, (input: Row, tables: ReadonlyMap<string, readonly Row[]>) => unknown>> = {
  count_notes: (_, tables) => tables.get('notes')?.length ?? 0,
};

/** Edge functions, by the name that `supabase.functions.invoke` calls. A response is answered as it is, anything else as JSON. */
export const EDGE_FUNCTIONS: Readonly<Record<string, (input: Row, request: Request) => unknown>> = {
  hello: ({ name }) => ({ message: `Hello ${String(name ?? 'world')}!` }),
};
