import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { Paging } from '#app/components/data/paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import type { WorkflowRow } from '#app/features/workflows/list/load-workflow-list.server.ts';

type Props = {
  rows: WorkflowRow[];
  page: number;
  pageCount: number;
  query: string;
  mine: boolean;
  status: ArtifactStatus | null;
  mayAuthor: boolean;
  url: string;
};

export function WorkflowList({ rows, page, pageCount, query, mine, status, mayAuthor, url }: Props) {
  const { t } = useTranslation('workflows');
  const { t: common } = useTranslation('common');
  const format = useFormats();
  const filtered = query !== '' || mine || status !== null;
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
      <Form method="get" role="search" className="flex flex-wrap items-end gap-3">
        <div className="grid gap-1">
          <label htmlFor="workflow-search" className="text-sm font-semibold">
            {t('list.search')}
          </label>
          <input
            id="workflow-search"
            name="q"
            type="search"
            defaultValue={query}
            className="min-h-11 w-64 max-w-full rounded-md border border-edge bg-surface px-3"
          />
        </div>
        <FilterChoice
          id="workflow-status"
          name="status"
          label={t('columns.status')}
          value={status ?? ''}
          all={t('list.anyStatus')}
          options={(['active', 'inactive'] as const).map((value) => ({ value, label: common(`status.${value}`) }))}
        />
        <label className="flex min-h-11 items-center gap-2">
          <input type="checkbox" name="owner" value="me" defaultChecked={mine} className="size-4 accent-accent" />
          {t('list.mine')}
        </label>
        <Button type="submit" variant="secondary">
          {t('list.filter')}
        </Button>
        {filtered && <Link to={href('/dashboard/workflows')}>{t('list.clear')}</Link>}
      </Form>
      <DataTable
        caption={t('list.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            header: t('columns.name'),
            cell: (row) => (
              <Link to={href('/dashboard/workflows/:workflow', { workflow: row.id })} className="font-semibold">
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          {
            key: 'description',
            header: t('columns.description'),
            cell: (row) => (
              <p dir="auto" className="line-clamp-2 min-w-40 max-w-xs text-as-parent text-sm text-muted">
                {row.description}
              </p>
            ),
          },
          { key: 'status', header: t('columns.status'), cell: (row) => <StatusWord status={row.status} /> },
          {
            key: 'lastRun',
            header: t('columns.lastRun'),
            cell: (row) => (row.lastRunAt === null ? t('list.never') : <RelativeTime at={row.lastRunAt} />),
          },
          { key: 'executions', header: t('columns.executions'), align: 'end', cell: (row) => format.number(row.executions) },
          {
            key: 'successRate',
            header: t('columns.successRate'),
            align: 'end',
            cell: (row) => (row.successRate === null ? '–' : format.percent(row.successRate)),
          },
          {
            key: 'duration',
            header: t('columns.averageDuration'),
            align: 'end',
            cell: (row) =>
              row.averageActiveMs === null ? '–' : <span className="whitespace-nowrap">{format.duration(row.averageActiveMs)}</span>,
          },
        ]}
        empty={
          filtered ? (
            <EmptyState
              title={t('list.noneFound')}
              description={t('list.noneFoundHint')}
              action={<ButtonLink to={href('/dashboard/workflows')}>{t('list.clear')}</ButtonLink>}
            />
          ) : (
            <EmptyState
              title={t('list.empty')}
              description={mayAuthor ? t('list.emptyHint') : t('list.emptyHintUser')}
              action={mayAuthor && <ButtonLink to={href('/dashboard/workflows/templates')}>{t('list.templates')}</ButtonLink>}
            />
          )
        }
      />
      <Paging page={page} pageCount={pageCount} url={url} />
    </PageFrame>
  );
}
