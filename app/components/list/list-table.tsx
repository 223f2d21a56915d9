import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, useLocation } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { shownColumns, TableMenu } from '#app/components/data/table-menu.tsx';
import { SortMenu } from '#app/components/list/sort-menu.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import type { FacetCounts } from '#app/contracts/facet-counts.ts';
import { isNarrowed, pathOf } from '#app/domain/web/list-address.ts';
import type { TableSort } from '#app/domain/web/table-sort.ts';
import Download from '~icons/download';

/** One page of a list as its loader found it. `url`: its address with its filters and its order; `hidden`: columns that are put away. */
export type ListPage = {
  name: string;
  url: string;
  sort: TableSort;
  next: string | null;
  hidden: readonly string[];
  counts: FacetCounts;
};

type Props<Row> = {
  list: ListPage;
  /** The list in words. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Without rows, while the list is not narrowed; a list that has rows always needs none. */
  empty?: ReactNode;
  /** Without rows that fit what the list is narrowed to, in words of its own. */
  noneFound?: ReactNode;
  /** Where it shows all of its rows, if not at its bare path. */
  whole?: string;
  /** Below the rows: acts on those that are ticked. */
  children?: ReactNode;
};

/** The rows of a list with all that a reader can do with it: order them, choose columns and density, take them along, go on to more. */
export function ListTable<Row>({ list, caption, columns, rows, rowKey, empty, noneFound, whole = pathOf(list.url), children }: Props<Row>) {
  const { t } = useTranslation('common');
  const { pathname, search } = useLocation();
  const some = rows.length > 0;
  return (
    <div className="grid min-w-0 gap-3">
      {some ? (
        <div className="flex flex-wrap items-start gap-2 print:hidden">
          <TableMenu list={list.name} of={caption} columns={columns} hidden={list.hidden} />
          <SortMenu columns={shownColumns(columns, list.hidden)} sort={{ ...list.sort, url: list.url }} />
          {/* Without `download`: a file that another person has to agree to leads to the page that says so. */}
          <a
            href={`${href('/dashboard/tables/:list', { list: list.name })}?${list.url.split('?')[1] ?? ''}`}
            className={buttonClass('secondary', 'small')}
          >
            <Download aria-hidden="true" />
            {t('table.csv')}
          </a>
        </div>
      ) : null}
      <DataTable
        caption={caption}
        columns={shownColumns(columns, list.hidden)}
        rows={rows}
        rowKey={rowKey}
        empty={isNarrowed(list.url, whole) || empty === undefined ? (noneFound ?? <NoneFound whole={whole} />) : empty}
        sort={{ ...list.sort, url: list.url }}
      />
      {some ? children : null}
      <KeyPaging url={`${pathname}${search}`} next={list.next} />
    </div>
  );
}

function NoneFound({ whole }: { whole: string }) {
  const { t } = useTranslation('common');
  return <EmptyState title={t('list.noneFound')} action={<ButtonLink to={whole}>{t('list.clear')}</ButtonLink>} />;
}
