import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';

/** An order of a list: an SQL expression that is never null, and its type. */
export type Order = { by: RawBuilder<unknown>; as: 'text' | 'timestamptz' | 'float8' };

type ListPlace = {
  /** For `order by`. */
  order: RawBuilder<unknown>;
  /** For `where`: the rows of this page and of those after it. */
  behind: RawBuilder<SqlBool>;
  /** For `select`: of the last row of a page it is where the next one begins. */
  key: RawBuilder<string>;
};

/**
 * Where a page of a list begins. It is found by the values of the row before it, so that each page costs the same and rows that are added
 * meanwhile move no other. `id`: the UUID that tells equal rows apart; `after`: the key of that row, as an address carries it.
 */
export function placeInList<Key extends string>(
  orders: Readonly<Record<Key, Order>>,
  sort: { by: Key; descending: boolean },
  id: RawBuilder<unknown>,
  after: string | null,
): ListPlace {
  const { by, as } = orders[sort.by];
  const way = sort.descending ? sql`desc` : sql`asc`;
  const beyond = sort.descending ? sql`<` : sql`>`;
  const last = readKey(after, as);
  return {
    order: sql`${by} ${way}, ${id} ${way}`,
    behind: last === null ? sql`true` : sql`(${by}, ${id}) ${beyond} (${last.value}::${sql.raw(as)}, ${last.id}::uuid)`,
    key: sql`${id}::text || ${textOf({ by, as })}`,
  };
}

/** One page out of `size` + 1 rows that were read, and where the next one begins; null: it was the last. */
export function cutPage<Row extends { key: string }>(rows: readonly Row[], size: number): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size);
  return { shown, next: rows.length > size ? (shown.at(-1)?.key ?? null) : null };
}

/** In a form that the database reads as the same value again. */
function textOf({ by, as }: Order) {
  return as === 'timestamptz' ? sql`to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : sql`(${by})::text`;
}

const KEY = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})([^\0]{0,300})$/su;
const READABLE = {
  text: z.string(),
  timestamptz: z.iso.datetime(),
  float8: z.string().regex(/^-?\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,2})?$/),
};

/** Null for the first page, and for a key that is none. */
function readKey(text: string | null, as: Order['as']): { id: string; value: string } | null {
  const [, id, value] = KEY.exec(text ?? '') ?? [];
  return id === undefined || value === undefined || !READABLE[as].safeParse(value).success ? null : { id, value };
}
