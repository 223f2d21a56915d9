import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { shownColumns, TableMenu } from '#app/components/data/table-menu.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import type { RefusedView } from '#app/components/saved-views/saved-views.server.ts';
import { SavedViews } from '#app/components/saved-views/saved-views.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { askAddress } from '#app/features/runs/ask-address.ts';
import type { LoadedRunList } from '#app/features/runs/list/load-run-list-screen.server.ts';
import { isFiltered, runFilterQuery, runsUrl } from '#app/features/runs/list/run-filter.ts';
import { RunFilterForm } from '#app/features/runs/list/run-filter-form.tsx';
import { RunBox, SelectionBar } from '#app/features/runs/several/selection-bar.tsx';
import Download from '~icons/download';

export function RunList({ refused, ...loaded }: LoadedRunList & { refused: RefusedView | undefined }) {
  const { rows, next, searchedTo, searched, filter, valid, views, hidden } = loaded;
  const columns = useColumns();
  const { t } = useTranslation('runs');
  const format = useFormats();
  const query = new URLSearchParams(runFilterQuery(filter));
  return (
    <PageFrame title={t('list.title')} wide description={t('list.description')}>
      <RunFilterForm {...loaded} />
      <SavedViews views={views} url={valid ? runsUrl(filter) : href('/dashboard/runs')} refused={refused} />
      {rows.length === 0 ? null : <TableMenu list="runs" of={t('list.title')} columns={columns} hidden={hidden} />}
      <DataTable
        caption={t('list.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={shownColumns(columns, hidden)}
        empty={
          !isFiltered(filter) ? (
            <EmptyState
              title={t('list.empty')}
              description={t('list.emptyHint')}
              action={<ButtonLink to={href('/dashboard/workflows')}>{t('list.toWorkflows')}</ButtonLink>}
            />
          ) : (
            <EmptyState title={t('list.noneFound')} action={<ButtonLink to={href('/dashboard/runs')}>{t('list.clear')}</ButtonLink>} />
          )
        }
      />
      {rows.length === 0 ? null : <SelectionBar filter={runFilterQuery(filter)} />}
      {searchedTo === null ? null : <p className="mt-4 text-sm text-muted">{t('list.searched', { runs: format.number(searched) })}</p>}
      <p className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {next === null && searchedTo === null ? null : (
          <ButtonLink to={runsUrl(filter, next ?? searchedTo)}>{next === null ? t('list.searchOlder') : t('list.older')}</ButtonLink>
        )}
        {rows.length === 0 ? null : (
          <a href={`${href('/dashboard/runs/table.csv')}?${query}`} download className={buttonClass('secondary')}>
            <Download aria-hidden="true" />
            {t('list.csv')}
          </a>
        )}
      </p>
    </PageFrame>
  );
}

function useColumns(): Column<LoadedRunList['rows'][number]>[] {
  const { t } = useTranslation('runs');
  const format = useFormats();
  return [
    {
      key: 'workflow',
      header: t('list.workflow'),
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          <RunBox {...row} />
          <span className="grid min-w-0">
            <Link to={href('/dashboard/runs/:run', { run: row.id })} className="text-link">
              <bdi>{format.runName(row)}</bdi>
            </Link>
            {row.subject === null ? null : (
              <span className="text-sm text-muted">
                <bdi>{row.workflow}</bdi>
              </span>
            )}
            {row.excerpt === null ? null : (
              <span className="line-clamp-2 max-w-prose text-sm text-muted [overflow-wrap:anywhere]">
                <bdi>{row.excerpt}</bdi>
              </span>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      header: t('list.status'),
      cell: (row) => (
        <>
          <StatusWord status={row.status} />
          {row.ask !== null && (
            <Link to={askAddress(row.ask)} className="block text-link text-sm">
              {t(row.ask.what === 'approval' ? 'list.asksApproval' : 'list.asksForm')}
            </Link>
          )}
        </>
      ),
    },
    { key: 'mode', header: t('list.mode'), cell: (row) => <Badge>{row.mode === 'live' ? t('list.live') : t('list.test')}</Badge> },
    { key: 'initiator', header: t('run.initiator'), cell: (row) => <bdi>{row.initiator ?? t('run.formerMember')}</bdi> },
    { key: 'started', header: t('run.started'), cell: (row) => <RelativeTime at={row.createdAt} /> },
    {
      key: 'active',
      header: t('run.active'),
      align: 'end',
      cell: (row) => (row.activeMs === null ? '–' : format.duration(row.activeMs)),
    },
  ];
}
