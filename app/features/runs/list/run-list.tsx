import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { SelectBox, SelectionBar } from '#app/components/list/selection.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import type { RefusedView } from '#app/components/saved-views/saved-views.server.ts';
import { SavedViews } from '#app/components/saved-views/saved-views.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { withParam } from '#app/domain/web/list-address.ts';
import { askAddress } from '#app/features/runs/ask-address.ts';
import type { LoadedRunList } from '#app/features/runs/list/load-run-list-screen.server.ts';
import { runFilterQuery } from '#app/features/runs/list/run-filter.ts';
import { RunFilterForm } from '#app/features/runs/list/run-filter-form.tsx';
import { SEVERAL_ACTS } from '#app/features/runs/several/several-acts.ts';

const ASK_WORDS = { approval: 'asksApproval', form: 'asksForm', signIn: 'asksSignIn' } as const;

export function RunList({ refused, ...loaded }: LoadedRunList & { refused: RefusedView | undefined }) {
  const { rows, list, searchedTo, cut, searched, filter, valid, views } = loaded;
  const columns = useColumns();
  const { t } = useTranslation('runs');
  const format = useFormats();
  return (
    <PageFrame title={t('list.title')} wide description={t('list.description')}>
      <RunFilterForm {...loaded} />
      <SavedViews views={views} url={valid ? list.url : href('/dashboard/runs')} refused={refused} />
      <ListTable
        list={list}
        caption={t('list.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState
            title={t('list.empty')}
            description={t('list.emptyHint')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('list.toWorkflows')}</ButtonLink>}
          />
        }
      >
        <SelectionBar
          method="get"
          action={href('/dashboard/runs/several')}
          hidden={runFilterQuery(filter)}
          label={t('several.with')}
          acts={SEVERAL_ACTS.map((act) => ({ value: act, label: t(`several.${act}`) }))}
        />
      </ListTable>
      {cut ? <p className="mt-4 text-sm text-muted">{t('list.ordered', { runs: format.number(searched) })}</p> : null}
      {searchedTo === null ? null : (
        <>
          <p className="my-4 text-sm text-muted">{t('list.searched', { runs: format.number(searched) })}</p>
          <ButtonLink to={withParam(list.url, 'after', searchedTo)}>{t('list.searchOlder')}</ButtonLink>
        </>
      )}
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
      sortable: true,
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          <SelectBox name="run" value={row.id} of={`${row.workflow}, ${format.exactTime(row.createdAt)}`} />
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
      sortable: true,
      cell: (row) => (
        <>
          <StatusWord status={row.status} />
          {row.ask !== null && (
            <Link to={askAddress(row.ask)} className="block text-link text-sm">
              {t(`list.${ASK_WORDS[row.ask.what]}`)}
            </Link>
          )}
        </>
      ),
    },
    {
      key: 'mode',
      header: t('list.mode'),
      sortable: true,
      minor: true,
      cell: (row) => <Badge>{row.mode === 'live' ? t('list.live') : t('list.test')}</Badge>,
    },
    {
      key: 'initiator',
      header: t('run.initiator'),
      sortable: true,
      minor: true,
      cell: (row) => <bdi>{row.initiator ?? t('run.formerMember')}</bdi>,
    },
    { key: 'started', header: t('run.started'), sortable: true, cell: (row) => <RelativeTime at={row.createdAt} /> },
    {
      key: 'active',
      header: t('run.active'),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (row) => (row.activeMs === null ? '–' : format.duration(row.activeMs)),
    },
  ];
}
