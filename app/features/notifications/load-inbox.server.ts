import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { askedWords } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { isNotificationKind, NOTIFICATION_KINDS, type NotificationKind } from '#app/domain/people/notification-kinds.ts';
import { type NoticeRun, pathOf, readNoticeAsked, readNoticeRun, readSubject, spokenValues } from '#app/domain/people/notifications.ts';
import type { AskedWords } from '#app/domain/runs/subject/subject-text.ts';
import { countUnread, UNREAD_COUNT_LIMIT } from '#app/engine/notifications/count-unread.ts';

const INBOX_PAGE_SIZE = 30;

export const INBOX_VIEWS = ['all', 'unread', ...NOTIFICATION_KINDS] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

export type NotificationRow = {
  id: string;
  kind: NotificationKind;
  message: Explanation;
  path: string;
  /** The run that it is about, as far as the reader may see it. */
  run: NoticeRun | null;
  createdAt: string;
  read: boolean;
};
export type StoredNotification = { id: string; kind: string; subject: Json; created_at: Date; run: Json };
export type NotificationInboxView = {
  view: InboxView;
  rows: NotificationRow[];
  unread: number;
  unreadBounded: boolean;
  next: string | null;
  seesDeliveries: boolean;
};

/** The member's notifications in this workspace, newest first; `before` is the id of the last one of the page before. */
export async function loadNotificationInbox({
  url,
  context,
}: {
  url: URL;
  context: Readonly<RouterContextProvider>;
}): Promise<NotificationInboxView> {
  const { member, read } = context.get(memberContext);
  const view = INBOX_VIEWS.find((name) => name === url.searchParams.get('show')) ?? 'all';
  const before = z.uuid().safeParse(url.searchParams.get('before')).data;
  const found = await read(async (db) => {
    let query = db.selectFrom('quorate.notifications as n').where('n.user_id', '=', member.userId);
    query = query.where('n.workspace_id', '=', member.workspace.id);
    if (view === 'unread') query = query.where('n.read_at', 'is', null);
    else if (view !== 'all') query = query.where('n.kind', '=', view);
    if (before !== undefined)
      query = query.where(
        sql<boolean>`(n.created_at, n.id) < (select b.created_at, b.id from quorate.notifications b where b.id = ${before}::uuid)`,
      );
    const rows = await query
      .orderBy('n.created_at', 'desc')
      .orderBy('n.id', 'desc')
      .limit(INBOX_PAGE_SIZE + 1)
      .select(['n.id', 'n.kind', 'n.subject', 'n.created_at', 'n.read_at', runOfNotice.as('run')])
      .execute();
    return { rows, unread: await countUnread(db, member) };
  });
  const page = found.rows.slice(0, INBOX_PAGE_SIZE);
  const words = askedWords(context);
  return {
    view,
    unread: found.unread,
    unreadBounded: found.unread >= UNREAD_COUNT_LIMIT,
    next: found.rows.length > INBOX_PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    seesDeliveries: member.roles.includes('admin') || member.roles.includes('auditor'),
    rows: page.flatMap((row) => {
      const shown = showNotification(row, words);
      return shown === null ? [] : [inReadersLanguage(context, { ...shown, read: row.read_at !== null })];
    }),
  };
}

/** Of the table `n`. */
export const runOfNotice = sql<Json>`quorate.run_of_notice(n)`;

/** A stored notification as it is shown; null for one of another version of the product. */
export function showNotification(row: StoredNotification, words: AskedWords): Omit<NotificationRow, 'read'> | null {
  const subject = readSubject(row.subject);
  if (subject === null || !isNotificationKind(row.kind)) return null;
  return {
    id: row.id,
    kind: row.kind,
    message: { key: subject.key, values: spokenValues(subject, readNoticeAsked(row.run), words) },
    path: pathOf(subject.about),
    run: readNoticeRun(row.run),
    createdAt: row.created_at.toISOString(),
  };
}
