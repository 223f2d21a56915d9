import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { RUN_STATUSES, type RunStatus } from '#app/contracts/statuses.ts';
import type { RunRow } from '#app/features/runs/load-run-list.server.ts';

type Props = {
  rows: RunRow[];
  next: string | null;
  status: RunStatus | null;
  workflow: string | null;
  workflows: { id: string; name: string }[];
};

export function RunList({ rows, next, status, workflow, workflows }: Props) {
  const { t } = useTranslation('runs');
  const { t: common } = useTranslation('common');
  const format = useFormats();
  return (
    <PageFrame title={t('list.title')} description={t('list.description')}>
      <Form method="get" className="mb-4 flex flex-wrap items-end gap-3">
        <FilterChoice
          id="run-status"
          name="status"
          label={t('list.status')}
          value={status ?? ''}
          all={t('list.anyStatus')}
          options={RUN_STATUSES.map((value) => ({ value, label: common(`status.${value}`) }))}
        />
        <FilterChoice
          id="run-workflow"
          name="workflow"
          label={t('list.workflow')}
          value={workflow ?? ''}
          all={t('list.anyWorkflow')}
          options={workflows.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Button>{t('list.filter')}</Button>
      </Form>
      <DataTable
        caption={t('list.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'workflow',
            header: t('list.workflow'),
            cell: (row) => (
              <Link to={href('/dashboard/runs/:run', { run: row.id })} className="text-link">
                <bdi>{row.workflow}</bdi>
              </Link>
            ),
          },
          { key: 'status', header: t('list.status'), cell: (row) => <StatusWord status={row.status} /> },
          { key: 'mode', header: t('list.mode'), cell: (row) => <Badge>{row.mode === 'live' ? t('list.live') : t('list.test')}</Badge> },
          { key: 'initiator', header: t('run.initiator'), cell: (row) => <bdi>{row.initiator ?? t('run.formerMember')}</bdi> },
          { key: 'started', header: t('run.started'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          {
            key: 'active',
            header: t('run.active'),
            align: 'end',
            cell: (row) => (row.activeMs === null ? '–' : format.duration(row.activeMs)),
          },
        ]}
        empty={
          status === null && workflow === null ? (
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
      {next !== null && (
        <p className="mt-4">
          <ButtonLink
            to={`${href('/dashboard/runs')}?${new URLSearchParams({ ...(status === null ? {} : { status }), ...(workflow === null ? {} : { workflow }), before: next })}`}
          >
            {t('list.older')}
          </ButtonLink>
        </p>
      )}
    </PageFrame>
  );
}
