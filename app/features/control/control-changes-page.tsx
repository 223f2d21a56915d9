import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { changeTitle } from '#app/features/control/change-words.ts';
import type { LoadedControlChanges } from '#app/features/control/load-control-changes.server.ts';

type Row = LoadedControlChanges['open'][number];

/** Control changes that wait for another person, and those that were decided. */
export function ControlChangesPage({ open, closed, secondPerson }: LoadedControlChanges) {
  const { t } = useTranslation('control');
  const subject: Column<Row> = {
    key: 'name',
    header: t('list.change'),
    cell: (row) => (
      <Link className="text-link" to={href('/dashboard/changes/:change', { change: row.id })}>
        <bdi>{changeTitle(row, t)}</bdi>
      </Link>
    ),
  };
  const status: Column<Row> = { key: 'status', header: t('list.status'), cell: (row) => <StatusWord status={row.status} /> };
  const by: Column<Row> = { key: 'by', header: t('list.by'), cell: (row) => <bdi>{row.requestedBy || t('gone')}</bdi> };
  const at: Column<Row> = { key: 'at', header: t('list.at'), cell: (row) => <RelativeTime at={row.at} /> };
  return (
    <PageFrame title={t('list.title')} description={t('list.description')} wide>
      {secondPerson ? null : (
        <div className="mb-6">
          <Notice kind="attention" title={t('list.aloneTitle')}>
            <p>{t('list.aloneText')}</p>
          </Notice>
        </div>
      )}
      <DataTable
        caption={t('list.openCaption')}
        rows={open}
        rowKey={(row) => row.id}
        empty={<EmptyState title={t('list.empty')} description={t('list.emptyText')} />}
        columns={[subject, status, by, at, { key: 'due', header: t('list.due'), cell: (row) => <RelativeTime at={row.dueAt} /> }]}
      />
      {closed.length === 0 ? null : (
        <Section title={t('list.closed')}>
          <DataTable
            caption={t('list.closed')}
            rows={closed}
            rowKey={(row) => row.id}
            empty={null}
            columns={[
              subject,
              status,
              by,
              at,
              {
                key: 'decided',
                header: t('list.decided'),
                cell: (row) => (row.decidedAt === null ? '–' : <RelativeTime at={row.decidedAt} />),
              },
            ]}
          />
        </Section>
      )}
    </PageFrame>
  );
}
