import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Badge } from '#app/components/ui/badge.tsx';

/** Forms that runs ask the reader to fill in. Needs the namespace shell. */
export function WaitingTasks({
  rows,
}: {
  rows: readonly { id: string; title: string; workflow: string; dueAt: string; overdue: boolean }[];
}) {
  const { t } = useTranslation('shell');
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
        { key: 'workflow', header: t('waitingTasks.workflow'), cell: (row) => <bdi>{row.workflow}</bdi> },
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
