import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';

/** A property by which a list can be narrowed: the text of a row that has one, or all that it has, as an SQL array; `chosen`: '' for none. */
export type Facet = { chosen: string } & ({ value: RawBuilder<unknown>; values?: never } | { values: RawBuilder<unknown>; value?: never });
export type Facets = Readonly<Record<string, Facet>>;

/** In more rows than these nothing is counted. */
export const MOST_COUNTED = 10_000;

/** For `where`: the rows that have everything that was chosen. */
export function facetFilter(facets: Facets): RawBuilder<SqlBool> {
  const chosen = Object.values(facets).filter((facet) => facet.chosen !== '');
  // An index answers the first of the two.
  const has = (facet: Facet) =>
    facet.values === undefined ? sql`${facet.value} = ${facet.chosen}` : sql`${facet.chosen} = any(${facet.values})`;
  return sql`${sql.join([sql`true`, ...chosen.map(has)], sql` and `)}`;
}

/**
 * How many rows each value of a facet would leave beside what is chosen of the others; a value that is chosen is named even if it leaves
 * none. `from`: the rows without any facet, from the word `from` on.
 */
export async function countFacets(db: Db, facets: Facets, from: RawBuilder<unknown>, most = MOST_COUNTED): Promise<FacetCounts> {
  const entries = Object.entries(facets);
  const column = (n: number) => sql.ref(`f${n}`);
  const columns = sql.join(entries.map((_, n) => column(n)));
  const fits = (own: number) => {
    const others = entries.flatMap(([, { chosen }], n) => (n === own || chosen === '' ? [] : [sql`${chosen} = any(g.${column(n)})`]));
    return sql.join([sql`true`, ...others], sql` and `);
  };
  const { rows } = await sql<{ facet: string; value: string; count: number; bounded: boolean }>`
    with b as materialized (select ${sql.join(entries.map(([, facet], n) => sql`${facet.values ?? sql`array[${facet.value}]`} as ${column(n)}`))} ${from} limit ${most + 1}),
      -- Thousands of rows have a handful of values between them.
      g as materialized (select ${columns}, count(*)::int as n from b group by ${columns})
    select f.facet, v.value, sum(g.n)::int as count, (select sum(n) from g) > ${most} as bounded
    from g
      cross join lateral (values ${sql.join(entries.map(([name], n) => sql`(${name}::text, g.${column(n)}, ${fits(n)})`))}) f (facet, own, fits)
      cross join lateral unnest(f.own) v (value)
    where f.fits and v.value is not null group by 1, 2 order by 3 desc, 2`.execute(db);
  return {
    bounded: rows[0]?.bounded ?? false,
    facets: entries.map(([name, { chosen }]) => {
      const counts = rows.filter((row) => row.facet === name).map(({ value, count }) => ({ value, count }));
      if (chosen !== '' && !counts.some(({ value }) => value === chosen)) counts.push({ value: chosen, count: 0 });
      return { name, chosen, counts };
    }),
  };
}
