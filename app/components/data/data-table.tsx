import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { sortUrl, type TableSort } from '#app/domain/web/table-sort.ts';
import ArrowDown from '~icons/arrow-down';
import ArrowUp from '~icons/arrow-up';
import ChevronsUpDown from '~icons/chevrons-up-down';

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** The list can be ordered by this column; `key` is its name in the address. */
  sortable?: boolean;
  /** Left out on a phone, where a row is a card with its two or three most important facts. */
  minor?: boolean;
};

/** Said again, since Safari forgets what they are where a narrow screen draws them as blocks (`stacked-table` in app.css). */
const ROLES = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/**
 * Rows under named columns. The first column is the row's heading. On a phone each row is a card with its facts beside their names; where the
 * table is wider than the screen it scrolls sideways in a group that can be focused and carries the caption as its name (no landmark: a page has many). `sort`: how the rows are ordered and the list's
 * own address; the headers of sortable columns become links then (on a phone, a menu of the list sorts it).
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  sort,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
  sort?: TableSort & { url: string };
}) {
  const captionId = useId();
  if (rows.length === 0) return <>{empty}</>;
  return (
    <ScrollGroup labelledBy={captionId} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table {...ROLES.table} className="stacked-table w-full border-collapse text-sm">
        <caption id={captionId} className="sr-only">
          {caption}
        </caption>
        <thead {...ROLES.rows}>
          <tr {...ROLES.row} className="border-b border-edge/60 bg-raised">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                {...ROLES.columnHeader}
                {...sortedAttribute(column, sort)}
                className={`px-4 py-2.5 text-xs compact:px-3 compact:py-1.5 font-semibold whitespace-nowrap text-muted ${column.align === 'end' ? 'text-end' : 'text-start'}`}
              >
                {sort && column.sortable ? <SortLink column={column} sort={sort} /> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rows}>
          {rows.map((row) => (
            <tr key={rowKey(row)} {...ROLES.row} className="h-(--row) border-b border-line last:border-b-0 hover:bg-raised/60">
              {columns.map((column, index) => {
                // A figure, a time or a button is read in one line; the table scrolls.
                const align = column.align !== 'end' ? 'text-start' : index === 0 ? 'text-end' : 'text-end whitespace-nowrap';
                return index === 0 ? (
                  <th
                    key={column.key}
                    scope="row"
                    {...ROLES.rowHeader}
                    className={`min-w-40 px-4 py-2 align-baseline compact:px-3 compact:py-1 font-semibold [&_.text-muted]:font-normal ${align}`}
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.key}
                    {...ROLES.cell}
                    data-label={column.header}
                    data-minor={column.minor ? true : undefined}
                    className={`px-4 py-2 align-baseline compact:px-3 compact:py-1 ${align}`}
                  >
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}

type Sorted = TableSort & { url: string };

function sortedAttribute(column: { key: string; sortable?: boolean }, sort: Sorted | undefined) {
  if (!sort || !column.sortable || sort.by !== column.key) return {};
  return { 'aria-sort': sort.descending ? ('descending' as const) : ('ascending' as const) };
}

function SortLink({ column, sort }: { column: { key: string; header: string; align?: 'start' | 'end' }; sort: Sorted }) {
  const Icon = sort.by !== column.key ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp;
  return (
    <>
      {/* Where no header is seen, none is stepped on with the keyboard. */}
      <span className="sm:hidden">{column.header}</span>
      <Link
        to={sortUrl(sort.url, column.key, sort)}
        preventScrollReset
        className={`-mx-1.5 inline-flex max-sm:hidden min-h-6 items-center gap-1.5 rounded-sm px-1.5 hover:bg-accent-soft hover:text-accent ${column.align === 'end' ? 'flex-row-reverse' : ''} ${sort.by === column.key ? 'text-ink' : ''}`}
      >
        {column.header}
        <Icon aria-hidden="true" className={`size-3.5 shrink-0 ${sort.by === column.key ? '' : 'opacity-60'}`} strokeWidth={2.25} />
      </Link>
    </>
  );
}
