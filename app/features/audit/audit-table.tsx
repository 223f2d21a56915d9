import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { type ListPage, ListTable } from '#app/components/list/list-table.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ActorName, ResourceName } from '#app/features/audit/audit-words.tsx';
import type { AuditRow } from '#app/features/audit/load-audit-log.server.ts';

/** `list`: without it the rows are all there are, and nothing can be done with them. */
type Props = { caption: string; rows: readonly AuditRow[]; empty: ReactNode; noneFound?: ReactNode; list?: ListPage };

/** Entries of the log: user, action, timestamp and resource, and their place in the tree. */
export function AuditTable({ list, noneFound, ...props }: Props) {
  const table = { ...props, columns: useColumns(), rowKey: (row: AuditRow) => row.id };
  return list === undefined ? <DataTable {...table} /> : <ListTable {...table} list={list} noneFound={noneFound} />;
}

function useColumns(): Column<AuditRow>[] {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const words = useActionWords();
  return [
    { key: 'user', header: t('columns.user'), cell: (row) => <ActorName actor={row.actor} erased={row.erased} /> },
    {
      key: 'action',
      header: t('columns.action'),
      cell: (row) => (
        <>
          <Link className="text-link" to={href('/dashboard/audit/:event', { event: row.id })}>
            {words(row.action)}
          </Link>
          {row.breakGlass ? (
            <span className="ms-3 text-sm">
              <StatusWord status="emergency" />
            </span>
          ) : null}
        </>
      ),
    },
    { key: 'timestamp', header: t('columns.timestamp'), sortable: true, cell: (row) => <RelativeTime at={row.at} /> },
    { key: 'resource', header: t('columns.resource'), cell: (row) => <ResourceName resource={row.resource} /> },
    {
      key: 'place',
      header: t('columns.place'),
      align: 'end',
      minor: true,
      cell: (row) =>
        row.leafIndex === null ? (
          <span className="text-muted">{t('place.waiting')}</span>
        ) : (
          <span className="tabular-nums">{formats.number(row.leafIndex)}</span>
        ),
    },
  ];
}
