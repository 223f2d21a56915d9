import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { Paging } from '#app/components/data/paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { WaitingTasks } from '#app/components/data/waiting-tasks.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { WaitingRoles } from '#app/components/page/waiting-roles.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { InboxFilter, InboxRow, LoadedInbox } from '#app/features/approvals/load-approval-inbox.server.ts';

const FILTERS = [
  { filter: 'pending', word: 'inbox.filter.pending' },
  { filter: 'approved', word: 'inbox.filter.approved' },
  { filter: 'consumed', word: 'inbox.filter.consumed' },
  { filter: 'rejected', word: 'inbox.filter.rejected' },
  { filter: 'expired', word: 'inbox.filter.expired' },
  { filter: 'withdrawn', word: 'inbox.filter.withdrawn' },
  { filter: 'all', word: 'inbox.filter.all' },
] as const satisfies readonly { filter: InboxFilter; word: string }[];

export type InboxProps = {
  filter: InboxFilter;
  page: number;
  pageCount: number;
  mine: number;
  roles: LoadedInbox['roles'];
  tasks: LoadedInbox['tasks'];
  rows: InboxRow[];
};

export function ApprovalInbox({ filter, page, pageCount, mine, roles, tasks, rows }: InboxProps) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const nothing = filter === 'pending' && roles.length === 0 && tasks.length === 0;
  const path = filter === 'pending' ? href('/dashboard/approvals') : `${href('/dashboard/approvals')}?status=${filter}`;
  return (
    <PageFrame title={t('inbox.title')} description={t('inbox.description')}>
      {mine > 0 ? (
        <div className="mb-6">
          <Notice kind="attention" title={t('inbox.mine', { count: mine })} />
        </div>
      ) : null}
      <nav aria-label={t('inbox.filter.label')} className="mb-4">
        <ul className="flex flex-wrap gap-2">
          {FILTERS.map((entry) => (
            <li key={entry.filter}>
              <ButtonLink
                size="small"
                variant={entry.filter === filter ? 'primary' : 'secondary'}
                to={entry.filter === 'pending' ? href('/dashboard/approvals') : `${href('/dashboard/approvals')}?status=${entry.filter}`}
                {...(entry.filter === filter ? { 'aria-current': 'page' as const } : {})}
              >
                {t(entry.word)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </nav>
      {roles.length === 0 && tasks.length === 0 ? null : (
        <div className="mb-6 grid gap-6">
          <WaitingTasks rows={tasks} />
          <WaitingRoles rows={roles} />
        </div>
      )}
      <DataTable
        caption={t('inbox.caption')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={
          <EmptyState
            title={nothing ? t('inbox.emptyPending') : t('inbox.emptyFilter')}
            description={nothing ? t('inbox.emptyPendingText') : t('inbox.emptyFilterText')}
          />
        }
        columns={[
          {
            key: 'title',
            header: t('inbox.columns.what'),
            cell: (row) => (
              <>
                <Link className="text-link" to={href('/dashboard/approvals/:approval', { approval: row.id })}>
                  {row.subjectKind === 'release'
                    ? t('release.title')
                    : row.subjectKind === 'outcome'
                      ? t('outcome.title', { title: row.title })
                      : row.title}
                </Link>
                {row.run === null ? null : <bdi className="block font-normal text-muted">{format.runName(row.run)}</bdi>}
              </>
            ),
          },
          { key: 'status', header: t('inbox.columns.status'), cell: (row) => <StatusWord status={row.status} /> },
          { key: 'risk', header: t('inbox.columns.risk'), cell: (row) => <StatusWord status={row.risk} /> },
          { key: 'by', header: t('inbox.columns.requestedBy'), cell: (row) => row.requestedBy || t('someone') },
          { key: 'created', header: t('inbox.columns.requested'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          { key: 'due', header: t('inbox.columns.due'), cell: (row) => <RelativeTime at={row.dueAt} /> },
        ]}
      />
      <Paging page={page} pageCount={pageCount} url={path} />
    </PageFrame>
  );
}
