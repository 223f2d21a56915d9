import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link, useNavigation, useRevalidator } from 'react-router';
import { KIND_WORDS, NotificationIcon } from '#app/components/data/notification-tone.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { useFormWorkspace } from '#app/components/form/form-workspace.tsx';
import { useLiveCounts } from '#app/components/live/live-counts.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { InboxView, NotificationInboxView, NotificationRow } from '#app/features/notifications/load-inbox.server.ts';

const ADDRESS = href('/dashboard/notifications');

const VIEWS = [
  { view: 'all', word: 'view.all' },
  { view: 'unread', word: 'view.unread' },
  { view: 'approval', word: 'kind.approval' },
  { view: 'failure', word: 'kind.failure' },
  { view: 'quota', word: 'kind.quota' },
  { view: 'changed_tool', word: 'kind.changedTool' },
  { view: 'invitation', word: 'kind.invitation' },
  { view: 'contact', word: 'kind.contact' },
  { view: 'message', word: 'kind.message' },
  { view: 'task', word: 'kind.task' },
  { view: 'watch', word: 'kind.watch' },
  { view: 'proof', word: 'kind.proof' },
  { view: 'incident', word: 'kind.incident' },
  { view: 'review', word: 'kind.review' },
] as const satisfies readonly { view: InboxView; word: string }[];

const addressOf = (view: InboxView) => (view === 'all' ? ADDRESS : `${ADDRESS}?show=${view}`);

export function NotificationInbox({ view, rows, unread, unreadBounded, next, seesDeliveries }: NotificationInboxView) {
  const { t } = useTranslation('notifications');
  useNews(unread);
  const newest = rows[0]?.id;
  const back = addressOf(view);
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      actions={
        <>
          {seesDeliveries ? <ButtonLink to={href('/dashboard/notifications/deliveries')}>{t('toDeliveries')}</ButtonLink> : null}
          <ButtonLink to={href('/dashboard/notifications/preferences')}>{t('toPreferences')}</ButtonLink>
        </>
      }
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <nav aria-label={t('view.label')} className="min-w-0 max-sm:w-full">
          <ul className="flex gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap">
            {VIEWS.map((entry) => (
              <li key={entry.view} className="shrink-0">
                <ButtonLink
                  size="small"
                  variant={entry.view === view ? 'primary' : 'secondary'}
                  to={addressOf(entry.view)}
                  {...(entry.view === view ? { 'aria-current': 'page' as const } : {})}
                >
                  {t(entry.word)}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </nav>
        {unread > 0 && newest !== undefined ? (
          <div className="flex flex-wrap items-center gap-3">
            <p className="text-sm text-muted">{unreadBounded ? t('unreadMany', { limit: unread }) : t('unread', { count: unread })}</p>
            <CommandForm hidden={{ mark: 'read', until: newest, back }}>
              <Button size="small">{t('markAllRead')}</Button>
            </CommandForm>
          </div>
        ) : null}
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title={view === 'all' ? t('empty') : t('emptyView')}
          description={view === 'all' ? t('emptyHint') : t('emptyViewHint')}
          action={
            view === 'all' ? (
              <ButtonLink to={href('/dashboard/notifications/preferences')}>{t('toPreferences')}</ButtonLink>
            ) : (
              <ButtonLink to={ADDRESS}>{t('view.everything')}</ButtonLink>
            )
          }
        />
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
          {rows.map((row) => (
            <Notification key={row.id} row={row} back={back} />
          ))}
        </ul>
      )}
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink to={`${ADDRESS}?${new URLSearchParams({ ...(view === 'all' ? {} : { show: view }), before: next })}`}>
            {t('older')}
          </ButtonLink>
        </p>
      )}
    </PageFrame>
  );
}

/** Reads the list again when the count in the top bar, which is live, says that something is new or was read elsewhere. */
function useNews(unread: number) {
  const { revalidate } = useRevalidator();
  const live = useLiveCounts()?.unread;
  useEffect(() => {
    if (live !== undefined && live !== unread) void revalidate();
  }, [live, unread, revalidate]);
}

/** Whether a notification is read, at once as its reader has just marked it. */
function useRead(row: NotificationRow): boolean {
  const { formAction, formData } = useNavigation();
  const mark = formAction?.startsWith(ADDRESS) ? formData?.get('mark') : undefined;
  if (mark === undefined || !(formData?.get('id') === row.id || formData?.has('until'))) return row.read;
  return mark === 'read';
}

function Notification({ row, back }: { row: NotificationRow; back: string }) {
  const read = useRead(row);
  const { t } = useTranslation('notifications');
  const format = useFormats();
  const workspace = useFormWorkspace();
  // Whoever opens it has read it; without scripts the button beside it says so. The router is left out of this: what a
  // fetcher brings while the router still looks up the link's page ends that navigation half way. The count is live.
  const noteOpened = () => {
    if (row.read) return;
    const body = new URLSearchParams({ mark: 'read', id: row.id, ...(workspace === null ? {} : { workspace }) });
    // Muted notifications stay unread.
    fetch(ADDRESS, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => undefined);
  };
  return (
    <li className={`flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 ${read ? '' : 'bg-accent-soft'}`}>
      <span className="mt-0.5">
        <NotificationIcon kind={row.kind} message={row.message.key} />
      </span>
      <div className="min-w-48 flex-1">
        <p className={read ? '' : 'font-semibold'}>
          {read ? null : <span className="sr-only">{t('isUnread')} </span>}
          <Link to={row.path} onClick={noteOpened} className="text-link">
            <ExplanationText explanation={row.message} />{' '}
            {row.run === null ? null : <bdi className="block text-as-parent">{format.runName(row.run)}</bdi>}
          </Link>
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-muted">
          <span>{t(KIND_WORDS[row.kind])}</span>
          <span aria-hidden="true">·</span>
          <RelativeTime at={row.createdAt} />
        </p>
      </div>
      <CommandForm hidden={{ mark: read ? 'unread' : 'read', id: row.id, back }} className="ms-auto">
        <Button size="small" variant="quiet">
          {read ? t('markUnread') : t('markRead')}
        </Button>
      </CommandForm>
    </li>
  );
}
