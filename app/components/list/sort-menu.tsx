import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { sortUrl, type TableSort } from '#app/domain/web/table-sort.ts';
import ArrowDown from '~icons/arrow-down';
import ArrowUp from '~icons/arrow-up';
import ChevronsUpDown from '~icons/chevrons-up-down';

/** The order of a list on a phone, where its rows are cards and no header stands above them. A second choice of a column turns its order round. */
export function SortMenu<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: TableSort & { url: string } }) {
  const { t } = useTranslation('common');
  const sortable = columns.filter((column) => column.sortable);
  const chosen = sortable.find(({ key }) => key === sort.by);
  const Icon = chosen === undefined ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp;
  if (sortable.length === 0) return null;
  return (
    // Closed again as soon as another order has come.
    <details key={sort.url} className="group/sort relative sm:hidden">
      <summary className={buttonClass('secondary', 'small', 'list-none')}>
        <Icon aria-hidden="true" />
        {chosen === undefined ? t('table.sort') : `${t('label', { label: t('table.sort') })} ${chosen.header}`}
      </summary>
      <ul className="absolute start-0 z-10 mt-1 min-w-full rounded-lg border border-line bg-surface p-1 shadow-float">
        {sortable.map(({ key, header }) => (
          <li key={key}>
            <Link
              to={sortUrl(sort.url, key, sort)}
              preventScrollReset
              aria-current={key === sort.by ? 'true' : undefined}
              className="flex min-h-11 items-center justify-between gap-6 rounded-md px-3 text-sm whitespace-nowrap text-ink no-underline hover:bg-raised aria-[current=true]:font-semibold aria-[current=true]:text-accent"
            >
              {header}
              {key === sort.by ? <Icon aria-hidden="true" className="size-4 shrink-0" /> : null}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
