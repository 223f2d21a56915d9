import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { lastDay } from '#app/domain/web/last-day.ts';
import { withParam } from '#app/domain/web/list-address.ts';
import { approvalTitle } from '#app/features/approvals/approval-title.ts';
import { approvalsUrl } from '#app/features/approvals/desk/approval-address.ts';
import { ApprovalFilterForm, isFiltered } from '#app/features/approvals/desk/approval-filter-form.tsx';
import type { InboxRow, LoadedList } from '#app/features/approvals/desk/load-approval-list.server.ts';
import type { InboxFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';
import { usePendingVote } from '#app/features/approvals/desk/use-pending-vote.ts';
import { QuestionBadge } from '#app/features/approvals/talk/question-badge.tsx';

const FILTERS = [
  { filter: 'pending', word: 'inbox.filter.pending' },
  { filter: 'approved', word: 'inbox.filter.approved' },
  { filter: 'consumed', word: 'inbox.filter.consumed' },
  { filter: 'rejected', word: 'inbox.filter.rejected' },
  { filter: 'expired', word: 'inbox.filter.expired' },
  { filter: 'withdrawn', word: 'inbox.filter.withdrawn' },
  { filter: 'all', word: 'inbox.filter.all' },
] as const satisfies readonly { filter: InboxFilter; word: string }[];

/** The approvals as links to each; `shown`: the one that is open beside the list. `query`: the list's filters, as they stand in the address. */
export function ApprovalList({ list, shown, query }: { list: LoadedList; shown: string | null; query: string }) {
  const { t } = useTranslation('approvals');
  const isPending = list.filter === 'pending';
  const addressOf = (filter: InboxFilter) => approvalsUrl(list.chosen, filter);
  return (
    <>
      <nav aria-label={t('inbox.filter.label')} className="px-4 py-3">
        <ul className="flex flex-wrap gap-1">
          {FILTERS.map(({ filter, word }) => (
            <li key={filter}>
              <Link
                to={addressOf(filter)}
                className={`inline-flex min-h-7 items-center rounded-full border px-2.5 text-sm ${filter === list.filter ? 'border-accent bg-accent-soft font-semibold text-accent' : 'border-line text-ink hover:bg-raised'}`}
                {...(filter === list.filter ? { 'aria-current': 'true' as const } : {})}
              >
                {t(word)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <ApprovalFilterForm list={list} />
      {list.rows.length === 0 ? (
        <div className="px-4 pb-4">
          <EmptyState
            title={isPending && !isFiltered(list.chosen) ? t('inbox.emptyPending') : t('inbox.emptyFilter')}
            description={isPending && !isFiltered(list.chosen) ? t('inbox.emptyPendingText') : t('inbox.emptyFilterText')}
            action={
              isFiltered(list.chosen) ? (
                <ButtonLink to={href('/dashboard/approvals')}>{t('filter.clear')}</ButtonLink>
              ) : list.filter === 'all' ? (
                <ButtonLink to={href('/dashboard/workflows')}>{t('inbox.toWorkflows')}</ButtonLink>
              ) : (
                <ButtonLink to={addressOf('all')}>{t('desk.all')}</ButtonLink>
              )
            }
          />
        </div>
      ) : (
        <ul aria-label={t('inbox.caption')} className="border-t border-line">
          {list.rows.map((row) => (
            <li key={row.id} className="border-b border-line">
              <ApprovalRow row={row} isShown={row.id === shown} query={query} />
            </li>
          ))}
        </ul>
      )}
      <div className="px-4 pb-4">
        <KeyPaging url={withParam(addressOf(list.filter), 'after', list.after ?? '')} next={list.next} />
      </div>
    </>
  );
}

function ApprovalRow({ row, isShown, query }: { row: InboxRow; isShown: boolean; query: string }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const address = href('/dashboard/approvals/:approval', { approval: row.id });
  const vote = usePendingVote(row.id);
  return (
    <Link
      to={`${address}${query}`}
      preventScrollReset
      className={`grid gap-0.5 border-s-4 px-4 py-2.5 -outline-offset-2 compact:py-1.5 ${isShown ? 'border-accent bg-accent-soft' : 'border-transparent hover:bg-raised'}`}
      {...(isShown ? { 'aria-current': 'page' as const } : {})}
    >
      <bdi className="line-clamp-2 font-semibold break-words">{approvalTitle(row, t)}</bdi>
      <span className="truncate text-sm text-muted">
        {row.run === null ? null : (
          <>
            <bdi className="text-ink">{format.runName(row.run)}</bdi> ·{' '}
          </>
        )}
        <bdi>{row.requestedBy || t('someone')}</bdi>
      </span>
      <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="flex gap-x-3">
          {vote !== null ? <StatusWord status={vote} /> : row.status === 'pending' ? null : <StatusWord status={row.status} />}
          <StatusWord status={row.risk} />
          {row.holder === null ? null : (
            <span className={row.holder.isMe ? 'font-semibold text-accent' : 'text-muted'}>
              {row.holder.isMe ? t('work.mine') : <bdi>{row.holder.name}</bdi>}
              {row.holder.standsIn === null ? null : <StandsIn {...row.holder.standsIn} />}
            </span>
          )}
          <QuestionBadge state={row.question} />
        </span>
        <span className="text-muted">
          {row.status === 'pending' ? (
            <>
              {t('inbox.due')} <RelativeTime at={row.dueAt} />
            </>
          ) : (
            <RelativeTime at={row.createdAt} />
          )}
        </span>
      </span>
    </Link>
  );
}

function StandsIn({ for: name, until }: { for: string; until: string }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  return <span className="block font-normal text-muted">{t('work.standsIn', { name, until: formats.date(lastDay(until)) })}</span>;
}
