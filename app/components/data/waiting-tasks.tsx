import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { RunIdentity } from '#app/contracts/runs.ts';

/** Forms that runs ask the reader to fill in. Needs the namespace shell. */
export function WaitingTasks({
  rows,
}: {
  /** `run` null: the reader may not see it. */
  rows: readonly { id: string; title: string; workflow: string; run: RunIdentity | null; dueAt: string; overdue: boolean }[];
}) {
  const { t } = useTranslation('shell');
  const format = useFormats();
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption={t('waitingTasks.title')}
      rows={rows}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        {
          key: 'title',
          header: t('waitingTasks.title'),
          cell: (row) => (
            <Link to={href('/dashboard/tasks/:task', { task: row.id })} className="text-link">
              <bdi>{row.title}</bdi>
            </Link>
          ),
        },
        {
          key: 'run',
          header: t('waitingTasks.run'),
          cell: ({ run, workflow }) => <bdi>{run === null ? workflow : format.runName({ ...run, workflow })}</bdi>,
        },
        {
          key: 'due',
          header: t('waitingTasks.due'),
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <RelativeTime at={row.dueAt} />
              {row.overdue && <Badge tone="danger">{t('waitingTasks.overdue')}</Badge>}
            </span>
          ),
        },
      ]}
    />
  );
}
