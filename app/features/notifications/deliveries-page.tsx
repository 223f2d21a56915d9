import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { DeliveryRow, LoadedDeliveries } from '#app/features/notifications/load-deliveries.server.ts';

export function DeliveriesPage({ rows, list }: LoadedDeliveries) {
  const { t } = useTranslation('notifications');
  const { t: common } = useTranslation('common');
  const columns = useColumns();
  return (
    <PageFrame
      title={t('deliveries.title')}
      wide
      description={t('deliveries.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/notifications') }]}
    >
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          status: { label: t('deliveries.status'), of: (value) => common(`status.${value as DeliveryRow['status']}`) },
          kind: { label: t('deliveries.kind'), of: (value) => t(`channel.${value as DeliveryRow['kind']}`) },
        }}
      />
      <ListTable
        list={list}
        caption={t('deliveries.title')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={columns}
        empty={<EmptyState title={t('deliveries.empty')} description={t('deliveries.emptyHint')} />}
      />
    </PageFrame>
  );
}

function useColumns(): Column<DeliveryRow>[] {
  const { t } = useTranslation('notifications');
  const format = useFormats();
  return [
    {
      key: 'target',
      header: t('deliveries.target'),
      cell: (row) => (
        <bdi dir="ltr" className="break-all">
          {row.target}
        </bdi>
      ),
    },
    { key: 'kind', header: t('deliveries.kind'), minor: true, cell: (row) => t(`channel.${row.kind}`) },
    { key: 'status', header: t('deliveries.status'), cell: (row) => <StatusWord status={row.status} /> },
    { key: 'attempts', header: t('deliveries.attempts'), align: 'end', minor: true, cell: (row) => format.number(row.attempts) },
    { key: 'created', header: t('deliveries.queued'), sortable: true, cell: (row) => <RelativeTime at={row.createdAt} /> },
    {
      key: 'next',
      header: t('deliveries.nextAttempt'),
      minor: true,
      cell: (row) => (row.nextAttemptAt === null ? '–' : <RelativeTime at={row.nextAttemptAt} />),
    },
    {
      key: 'error',
      header: t('deliveries.lastError'),
      cell: (row) => (row.lastError === null ? '–' : <bdi className="text-muted">{row.lastError}</bdi>),
    },
  ];
}
