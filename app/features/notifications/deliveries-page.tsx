import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { SelectBox, SelectionBar } from '#app/components/list/selection.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { DeliveryRow, LoadedDeliveries } from '#app/features/notifications/load-deliveries.server.ts';

export function DeliveriesPage({ rows, list, sends }: LoadedDeliveries) {
  const { t } = useTranslation('notifications');
  const { t: common } = useTranslation('common');
  const columns = useColumns(sends);
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
      >
        {sends && rows.some(({ kind }) => kind === 'webhook') ? (
          <SelectionBar
            method="post"
            action={list.url}
            hidden={{}}
            label={t('deliveries.with')}
            acts={[{ value: 'send', label: t('deliveries.sendAgain') }]}
          />
        ) : null}
      </ListTable>
    </PageFrame>
  );
}

function useColumns(sends: boolean): Column<DeliveryRow>[] {
  const { t } = useTranslation('notifications');
  const format = useFormats();
  return [
    {
      key: 'target',
      header: t('deliveries.target'),
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          {sends && row.kind === 'webhook' ? <SelectBox name="delivery" value={row.id} of={row.target} /> : null}
          <bdi dir="ltr" className="wrap-anywhere">
            {row.target}
          </bdi>
        </span>
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
