import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link, useLocation, useParams } from 'react-router';
import { ApprovalList } from '#app/features/approvals/desk/approval-list.tsx';
import { DeskKeys } from '#app/features/approvals/desk/desk-keys.tsx';
import type { LoadedList } from '#app/features/approvals/desk/load-approval-list.server.ts';
import ChevronLeft from '~icons/chevron-left';
import ChevronRight from '~icons/chevron-right';

/**
 * The list and the approval that is open, side by side where there is room, else one after the other. The approval comes first in the
 * order of reading, whichever side it stands on.
 */
export function ApprovalsDesk({ list, children }: { list: LoadedList; children: ReactNode }) {
  const { t } = useTranslation('approvals');
  const { approval: shown = null } = useParams();
  const { search } = useLocation();
  const place = list.rows.findIndex((row) => row.id === shown);
  const before = list.rows[place - 1]?.id ?? null;
  const after = (place === -1 ? list.rows.find((row) => row.id !== shown) : list.rows[place + 1])?.id ?? null;
  const addressOf = (id: string | null) => (id === null ? null : `${href('/dashboard/approvals/:approval', { approval: id })}${search}`);
  const ways = { before: addressOf(before), after: addressOf(after) };
  return (
    <div className="@container/desk">
      <div className="@min-[56rem]/desk:grid @min-[56rem]/desk:grid-cols-[minmax(17rem,22rem)_minmax(0,1fr)]">
        <div className="@container/detail min-w-0 @min-[56rem]/desk:col-start-2 @min-[56rem]/desk:row-start-1">
          {shown === null ? null : (
            <nav
              aria-label={t('desk.ways')}
              className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm sm:px-6 lg:px-8 print:hidden"
            >
              <Link className="text-link me-auto py-1" to={`${href('/dashboard/approvals')}${search}`}>
                {t('desk.all')}
              </Link>
              {place === -1 ? null : (
                <span className="text-muted">{t('desk.place', { place: list.rows.length > 0 ? place + 1 : 0, of: list.rows.length })}</span>
              )}
              <Way to={ways.before} label={t('desk.before')} keys="K">
                <ChevronLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
              </Way>
              <Way to={ways.after} label={t('desk.after')} keys="J">
                <ChevronRight aria-hidden="true" className="size-4 rtl:-scale-x-100" />
              </Way>
            </nav>
          )}
          {shown === null ? children : <article>{children}</article>}
        </div>
        <div
          className={`${shown === null ? '' : 'hidden @min-[56rem]/desk:block'} border-line @max-[56rem]/desk:border-t @min-[56rem]/desk:sticky @min-[56rem]/desk:top-14 @min-[56rem]/desk:col-start-1 @min-[56rem]/desk:row-start-1 @min-[56rem]/desk:h-[calc(100dvh-3.5rem)] @min-[56rem]/desk:overflow-y-auto @min-[56rem]/desk:border-e print:hidden`}
        >
          <ApprovalList list={list} shown={shown} query={search} />
        </div>
      </div>
      <DeskKeys before={ways.before} after={ways.after} />
    </div>
  );
}

function Way({ to, label, keys, children }: { to: string | null; label: string; keys: string; children: ReactNode }) {
  const shape = 'grid size-8 place-items-center rounded-md';
  return to === null ? (
    <span className={`${shape} text-muted opacity-40`}>{children}</span>
  ) : (
    <Link to={to} aria-label={label} aria-keyshortcuts={keys} title={`${label} (${keys})`} className={`${shape} text-ink hover:bg-raised`}>
      {children}
    </Link>
  );
}
