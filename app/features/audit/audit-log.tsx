import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '#app/components/data-table.tsx';
import { EmptyState } from '#app/components/empty-state.tsx';
import { PageFrame } from '#app/components/page-frame.tsx';
import { Paging } from '#app/components/paging.tsx';
import { useFormats } from '#app/components/reader.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { When } from '#app/components/when.tsx';
import { AuditFilterForm } from '#app/features/audit/audit-filter.tsx';
import { auditUrl } from '#app/features/audit/audit-filter-schema.ts';
import { ActorName, ResourceName, useActionWords } from '#app/features/audit/audit-words.tsx';
import type { LoadedAuditLog } from '#app/features/audit/load-audit-log.server.ts';

export function AuditLog({ filter, valid, seesAll, page, pageCount, people, actions, rows }: LoadedAuditLog) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = useActionWords();
  const url = auditUrl(filter);
  return (
    <PageFrame
      title={t('title')}
      description={
        <>
          <p>{t('description')}</p>
          <p className="mt-1">{seesAll ? t('scopeAll') : t('scopeOwn')}</p>
        </>
      }
      actions={<ButtonLink to="/dashboard/audit/checkpoints">{t('links.checkpoints')}</ButtonLink>}
    >
      <AuditFilterForm filter={filter} valid={valid} people={people} actions={actions} seesAll={seesAll} nobody="quorate" />
      <DataTable
        caption={t('table')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={
          url === '/dashboard/audit' ? (
            <EmptyState title={t('empty.title')} description={t('empty.description')} />
          ) : (
            <EmptyState
              title={t('emptyFiltered.title')}
              description={t('emptyFiltered.description')}
              action={<ButtonLink to="/dashboard/audit">{t('filter.clear')}</ButtonLink>}
            />
          )
        }
        columns={[
          { key: 'user', header: t('columns.user'), cell: (row) => <ActorName actor={row.actor} erased={row.erased} /> },
          {
            key: 'action',
            header: t('columns.action'),
            cell: (row) => (
              <Link className="text-link" to={`/dashboard/audit/${row.id}`}>
                {words(row.action)}
              </Link>
            ),
          },
          { key: 'timestamp', header: t('columns.timestamp'), cell: (row) => <When at={row.at} /> },
          { key: 'resource', header: t('columns.resource'), cell: (row) => <ResourceName resource={row.resource} /> },
          {
            key: 'place',
            header: t('columns.place'),
            align: 'end',
            cell: (row) =>
              row.leafIndex === null ? (
                <span className="text-muted">{t('place.waiting')}</span>
              ) : (
                <span className="tabular-nums">{t('place.at', { index: formats.number(row.leafIndex) })}</span>
              ),
          },
        ]}
      />
      <Paging page={page} pageCount={pageCount} url={url} />
    </PageFrame>
  );
}
