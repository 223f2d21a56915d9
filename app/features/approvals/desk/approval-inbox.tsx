import { useTranslation } from 'react-i18next';
import { href, Link, useLocation } from 'react-router';
import { WaitingTasks } from '#app/components/data/waiting-tasks.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { WaitingChanges } from '#app/components/page/waiting-changes.tsx';
import type { RefusedView } from '#app/components/saved-views/saved-views.server.ts';
import { SavedViews } from '#app/components/saved-views/saved-views.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { approvalsUrl } from '#app/features/approvals/desk/approval-address.ts';
import type { LoadedInbox } from '#app/features/approvals/desk/load-approval-list.server.ts';

/** Beside the list, while no approval is open: what waits for the reader, and the way to the first of it. */
export function ApprovalInbox({ inbox, refused }: { inbox: LoadedInbox; refused: RefusedView | undefined }) {
  const { mine, first, changes, tasks, mayName, views, url } = inbox;
  const { t } = useTranslation('approvals');
  const { search } = useLocation();
  return (
    <PageFrame title={t('inbox.title')} description={t('inbox.description')}>
      <SavedViews views={views} url={url} refused={refused} />
      {mine > 0 ? (
        <div className="grid gap-4">
          <Notice kind="attention" title={t('inbox.mine', { count: mine })} />
          {first === null ? null : (
            <ButtonLink variant="primary" to={`${href('/dashboard/approvals/:approval', { approval: first })}${search}`}>
              {t('inbox.begin')}
            </ButtonLink>
          )}
        </div>
      ) : null}
      {mayName ? (
        <p className="mt-4">
          <Link className="text-link py-1" to={href('/dashboard/approvals/deputies')}>
            {t('deputies.link')}
          </Link>
        </p>
      ) : null}
      {mine === 0 && tasks.length === 0 && changes.length === 0 ? (
        // Where there is no room beside it, the list itself comes next.
        <div className="mt-6 hidden @min-[56rem]/desk:block">
          <EmptyState
            title={t('inbox.noneMine')}
            description={t('inbox.noneMineText')}
            action={<ButtonLink to={approvalsUrl({}, 'all')}>{t('desk.all')}</ButtonLink>}
          />
        </div>
      ) : null}
      <WaitingTasks rows={tasks} />
      <WaitingChanges rows={changes} />
    </PageFrame>
  );
}
