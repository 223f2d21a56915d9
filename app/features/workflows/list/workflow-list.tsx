import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { SelectBox, SelectionBar } from '#app/components/list/selection.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import type { LoadedWorkflowList } from '#app/features/workflows/list/load-list-screen.server.ts';
import type { WorkflowRow } from '#app/features/workflows/list/load-workflow-list.server.ts';

export function WorkflowList({ list, rows, mayAuthor }: LoadedWorkflowList) {
  const { t } = useTranslation('workflows');
  const { t: common } = useTranslation('common');
  const columns = useColumns(mayAuthor);
  return (
    <PageFrame
      title={t('list.title')}
      wide
      description={t('list.description')}
      actions={
        mayAuthor && (
          <>
            <ButtonLink to={href('/dashboard/workflows/advanced')} variant="secondary">
              {t('list.triggers')}
            </ButtonLink>
            <ButtonLink to={href('/dashboard/workflows/templates')} variant="secondary">
              {t('list.templates')}
            </ButtonLink>
            <ButtonLink to={href('/dashboard/workflows/new')} variant="primary">
              {t('list.new')}
            </ButtonLink>
          </>
        )
      }
    >
      <ListSearch url={list.url} rows={rows.length} label={t('list.search')} submit={t('list.filter')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          status: { label: t('columns.status'), of: (value) => common(`status.${value as ArtifactStatus}`) },
          owner: { label: t('list.owner'), of: (value) => t(value === 'me' ? 'list.mine' : 'list.others') },
        }}
      />
      <ListTable
        list={list}
        caption={t('list.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState
            title={t('list.empty')}
            description={mayAuthor ? t('list.emptyHint') : t('list.emptyHintUser')}
            action={mayAuthor && <ButtonLink to={href('/dashboard/workflows/templates')}>{t('list.templates')}</ButtonLink>}
          />
        }
      >
        {mayAuthor ? (
          <SelectionBar
            method="post"
            action={list.url}
            hidden={{}}
            label={t('list.with')}
            acts={[
              { value: 'pause', label: t('list.pause') },
              { value: 'resume', label: t('list.resume') },
            ]}
          />
        ) : null}
      </ListTable>
    </PageFrame>
  );
}

function useColumns(mayAuthor: boolean): Column<WorkflowRow>[] {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  return [
    {
      key: 'name',
      header: t('columns.name'),
      sortable: true,
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          {mayAuthor ? <SelectBox name="workflow" value={row.id} of={row.name} /> : null}
          <Link to={href('/dashboard/workflows/:workflow', { workflow: row.id })} className="text-link font-semibold">
            <bdi>{row.name}</bdi>
          </Link>
        </span>
      ),
    },
    {
      key: 'description',
      header: t('columns.description'),
      minor: true,
      cell: (row) => (
        <p dir="auto" className="line-clamp-2 min-w-40 max-w-xs text-as-parent text-sm text-muted">
          {row.description}
        </p>
      ),
    },
    { key: 'status', header: t('columns.status'), sortable: true, cell: (row) => <StatusWord status={row.status} /> },
    {
      key: 'lastRun',
      header: t('columns.lastRun'),
      sortable: true,
      cell: (row) => (row.lastRunAt === null ? t('list.never') : <RelativeTime at={row.lastRunAt} />),
    },
    {
      key: 'executions',
      header: t('columns.executions'),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (row) => format.number(row.executions),
    },
    {
      key: 'successRate',
      header: t('columns.successRate'),
      align: 'end',
      sortable: true,
      cell: (row) => (row.successRate === null ? '–' : format.percent(row.successRate)),
    },
    {
      key: 'duration',
      header: t('columns.averageDuration'),
      align: 'end',
      sortable: true,
      minor: true,
      cell: (row) =>
        row.averageActiveMs === null ? '–' : <span className="whitespace-nowrap">{format.duration(row.averageActiveMs)}</span>,
    },
  ];
}
