import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type FacetCounts, NO_COUNTS } from '#app/contracts/facet-counts.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSort, type TableSort } from '#app/domain/web/table-sort.ts';
import { countFacets, type Facets, facetFilter } from '#app/engine/lists/list-facets.ts';
import { cutPage, type Order, placeInList } from '#app/engine/lists/list-place.ts';
import { loadListState } from '#app/engine/lists/list-state.ts';

/** Rows of a page, and whether anybody reads how many rows each value of a facet would leave. */
export type ListExtent = { size: number; counted: boolean };

type List<By extends string, Row> = {
  who: { workspaceId: string; userId: string };
  address: ListAddress;
  params: URLSearchParams;
  orders: Readonly<Record<By, Order>>;
  /** The list's own order, where the address asks for none. */
  sort: TableSort<NoInfer<By>>;
  /** The UUID that tells equal rows apart. */
  id: RawBuilder<unknown>;
  facets: Facets;
  /** The rows without any facet, from the word `from` on; null: they are not counted here. */
  counted: RawBuilder<unknown> | null;
  extent: ListExtent;
  /** The statement that finds a page. */
  page: (parts: ListStatement<By>) => RawBuilder<Row>;
};

/** The parts of that statement. `key` stands among its columns; `where`: of what was chosen, the rows of this page and of those after it. */
export type ListStatement<By extends string = string> = {
  by: By;
  key: RawBuilder<string>;
  where: RawBuilder<SqlBool>;
  order: RawBuilder<unknown>;
  limit: number;
};

/** One page of a list by its address: its rows, and the list as its screen and its file show it. */
export async function readListPage<By extends string, Row extends { key: string }>(
  db: Db,
  { who, address, params, orders, sort: own, id, facets, counted, extent, page }: List<By, Row>,
) {
  const sort = readSort(params, Object.keys(orders) as By[], own);
  const { behind, key, order } = placeInList(orders, sort, id, params.get('after'));
  const where = sql<SqlBool>`${facetFilter(facets)} and ${behind}`;
  const { rows } = await page({ by: sort.by, key, where, order, limit: extent.size + 1 }).execute(db);
  const { shown, next } = cutPage(rows, extent.size);
  const counts: FacetCounts = counted === null || !extent.counted ? NO_COUNTS : await countFacets(db, facets, counted);
  return { rows: shown, list: { ...(await loadListState(db, who, address, params)), sort, next, counts } };
}

/** The value of a facet that the address chooses, if it is one of these; '' for none. */
export const chosenOf = (values: readonly string[], params: URLSearchParams, name: string): string =>
  values.find((value) => value === params.get(name)) ?? '';
