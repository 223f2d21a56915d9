import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { DeliveryRow } from '#app/features/notifications/load-deliveries.server.ts';

export function DeliveriesPage({ rows, next }: { rows: DeliveryRow[]; next: string | null }) {
  const { t } = useTranslation('notifications');
  const format = useFormats();
  return (
    <PageFrame
      title={t('deliveries.title')}
      description={t('deliveries.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/notifications') }]}
    >
      <DataTable
        caption={t('deliveries.title')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={<EmptyState title={t('deliveries.empty')} description={t('deliveries.emptyHint')} />}
        columns={[
          {
            key: 'target',
            header: t('deliveries.target'),
            cell: (row) => (
              <bdi dir="ltr" className="break-all">
                {row.target}
              </bdi>
            ),
          },
          { key: 'kind', header: t('deliveries.kind'), cell: (row) => t(`channel.${row.kind}`) },
          { key: 'status', header: t('deliveries.status'), cell: (row) => <StatusWord status={row.status} /> },
          { key: 'attempts', header: t('deliveries.attempts'), align: 'end', cell: (row) => format.number(row.attempts) },
          { key: 'created', header: t('deliveries.queued'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          {
            key: 'next',
            header: t('deliveries.nextAttempt'),
            cell: (row) => (row.nextAttemptAt === null ? '–' : <RelativeTime at={row.nextAttemptAt} />),
          },
          {
            key: 'error',
            header: t('deliveries.lastError'),
            cell: (row) => (row.lastError === null ? '–' : <bdi className="text-muted">{row.lastError}</bdi>),
          },
        ]}
      />
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink to={`${href('/dashboard/notifications/deliveries')}?before=${next}`}>{t('older')}</ButtonLink>
        </p>
      )}
    </PageFrame>
  );
}
