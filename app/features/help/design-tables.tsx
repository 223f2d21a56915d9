import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { Paging } from '#app/components/data/paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { Timeline, type TimelineItem } from '#app/components/data/timeline.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { JsonView } from '#app/components/value/json-view.tsx';
import { readSort } from '#app/domain/web/table-sort.ts';

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const BEGAN = Date.parse('2026-11-12T09:00:00.000Z');

export function DesignTables() {
  const { t, i18n } = useTranslation('design');
  const formats = useFormats();
  const { pathname, search } = useLocation();
  const sort = readSort(new URLSearchParams(search), ['name', 'amount'], { by: 'name', descending: false });
  const rows = [
    { name: t('rowA'), status: 'completed' as const, amount: 1_284.5, at: '2026-11-12T09:00:00.000Z' },
    { name: t('rowB'), status: 'waiting' as const, amount: 96, at: '2026-11-11T17:30:00.000Z' },
    { name: t('rowC'), status: 'failed' as const, amount: 40_310, at: '2026-10-02T08:05:00.000Z' },
  ].sort((a, b) => (sort.by === 'amount' ? a.amount - b.amount : a.name.localeCompare(b.name, i18n.language)) * (sort.descending ? -1 : 1));
  const steps: TimelineItem[] = [
    { key: 'a', label: t('rowA'), lane: 'mcp', startMs: BEGAN, endMs: BEGAN + 4_000, status: 'success' },
    { key: 'b', label: t('rowB'), lane: 'a2a', startMs: BEGAN + 1_000, endMs: BEGAN + 7_500, status: 'error' },
    { key: 'c', label: t('rowC'), lane: 'people', startMs: BEGAN + 7_500, endMs: BEGAN + 20_000, status: 'waiting' },
  ];
  return (
    <div className="grid grid-cols-1 gap-6">
      <div>
        <DataTable
          caption={t('tables')}
          rows={rows}
          rowKey={(row) => row.name}
          sort={{ ...sort, url: `${pathname}${search}` }}
          columns={[
            { key: 'name', header: t('columnName'), sortable: true, cell: (row) => row.name },
            { key: 'status', header: t('columnStatus'), cell: (row) => <StatusWord status={row.status} /> },
            { key: 'at', header: t('columnWhen'), cell: (row) => <RelativeTime at={row.at} /> },
            { key: 'digest', header: t('columnDigest'), cell: () => <Digest value={DIGEST} /> },
            { key: 'amount', header: t('columnAmount'), align: 'end', sortable: true, cell: (row) => formats.number(row.amount) },
          ]}
          empty={null}
        />
        <Paging page={2} pageCount={3} url={pathname} />
      </div>
      <DataTable
        caption={t('emptyTitle')}
        rows={[]}
        rowKey={String}
        columns={[{ key: 'name', header: t('columnName'), cell: String }]}
        empty={<EmptyState title={t('emptyTitle')} />}
      />
      <DescriptionList
        items={[
          { term: t('columnName'), description: t('rowA') },
          { term: t('columnDigest'), description: <Digest value={DIGEST} full /> },
        ]}
      />
      <JsonView label={t('columnDigest')} value={{ algorithm: 'SHA-256', size: 3, leaf: DIGEST }} />
      <Timeline items={steps} />
    </div>
  );
}
