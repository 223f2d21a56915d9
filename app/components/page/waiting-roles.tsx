import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';

/** Role changes that need the reader's agreement, which is given under Members. Needs the namespace shell. */
export function WaitingRoles({ rows }: { rows: readonly { id: string; name: string; requestedBy: string; createdAt: string }[] }) {
  const { t } = useTranslation('shell');
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption={t('waitingRoles.title')}
      rows={rows}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        {
          key: 'name',
          header: t('waitingRoles.title'),
          cell: (row) => (
            <Link to={href('/dashboard/admin/members')} className="text-link">
              {t('waitingRoles.of', { name: row.name })}
            </Link>
          ),
        },
        { key: 'by', header: t('waitingRoles.by'), cell: (row) => <bdi>{row.requestedBy || '–'}</bdi> },
        { key: 'at', header: t('waitingRoles.at'), cell: (row) => <RelativeTime at={row.createdAt} /> },
      ]}
    />
  );
}
