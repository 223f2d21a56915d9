import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { FacetLinks } from '#app/components/list/facet-links.tsx';
import { ListSearch } from '#app/components/list/list-search.tsx';
import { ListTable } from '#app/components/list/list-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { RiskClass } from '#app/domain/inventory/agent-record.ts';
import { ReviewWord, RiskClassWord } from '#app/features/agents/inventory/inventory-words.tsx';
import type { InventoryRow, LoadedInventory, OwnerState, ReviewState } from '#app/features/agents/inventory/load-inventory.server.ts';

/** The inventory of agents: who answers for each, what it is for, its risk class and its next review. */
export function InventoryList({ list, agents }: LoadedInventory) {
  const { t } = useTranslation(['inventory', 'common']);
  const columns = useColumns();
  return (
    <PageFrame
      title={t('list.title')}
      description={t('list.description')}
      wide
      breadcrumbs={[{ label: t('agents'), to: `${href('/dashboard/agents')}?owner=all` }]}
    >
      <ListSearch url={list.url} rows={agents.length} label={t('list.search')} submit={t('common:list.search')} />
      <FacetLinks
        url={list.url}
        counts={list.counts}
        words={{
          owner: { label: t('column.owner'), of: (value) => t(`owner.${value as OwnerState}`) },
          review: { label: t('column.review'), of: (value) => t(`review.${value as ReviewState}`) },
          risk: { label: t('column.risk'), of: (value) => t(`risk.${value as RiskClass | 'none'}`) },
        }}
      />
      <ListTable
        list={list}
        caption={t('list.caption')}
        rows={agents}
        rowKey={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState
            title={t('list.empty')}
            description={t('list.emptyText')}
            action={<ButtonLink to={`${href('/dashboard/agents')}?owner=all`}>{t('list.toAgents')}</ButtonLink>}
          />
        }
      />
    </PageFrame>
  );
}

function useColumns(): Column<InventoryRow>[] {
  const { t } = useTranslation('inventory');
  const formats = useFormats();
  return [
    {
      key: 'name',
      header: t('column.agent'),
      sortable: true,
      cell: (row) => (
        <>
          <Link className="text-link" to={href('/dashboard/agents/inventory/:agent', { agent: row.id })}>
            <bdi>{row.name}</bdi>
          </Link>
          <span className="block text-muted">{t(`kind.${row.kind}`)}</span>
        </>
      ),
    },
    {
      key: 'owner',
      header: t('column.owner'),
      sortable: true,
      cell: (row) => (row.owner === null ? <span className="text-attention-ink">{t('owner.unowned')}</span> : <bdi>{row.owner}</bdi>),
    },
    {
      key: 'purpose',
      header: t('column.purpose'),
      minor: true,
      cell: (row) => (
        <span dir="auto" className="line-clamp-2 max-w-measure text-as-parent sm:min-w-48">
          {row.purpose || '–'}
        </span>
      ),
    },
    { key: 'risk', header: t('column.risk'), sortable: true, cell: (row) => <RiskClassWord risk={row.risk} /> },
    {
      key: 'data',
      header: t('column.data'),
      minor: true,
      cell: (row) => (row.dataClasses.length === 0 ? '–' : formats.series(row.dataClasses.map((one) => t(`data.${one}`)))),
    },
    {
      key: 'review',
      header: t('column.review'),
      sortable: true,
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-2">
          {row.reviewOn === null ? null : formats.day(row.reviewOn)}
          {row.review === 'planned' ? null : <ReviewWord review={row.review} />}
        </span>
      ),
    },
  ];
}
