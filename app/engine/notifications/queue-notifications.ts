import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { NewId } from '#app/contracts/ports.ts';
import { type Notice, type NoticeReader, readNoticeApproval } from '#app/domain/people/notice.ts';
import { isNotificationKind } from '#app/domain/people/notification-kinds.ts';
import {
  isWanted,
  linkTo,
  type NotificationSettings,
  type NotificationSubject,
  notificationSettingsSchema,
  readNoticeAsked,
  readNoticeRun,
  readSubject,
  webhookContext,
} from '#app/domain/people/notifications.ts';

const BATCH = 200;

/** Makes one mail of a person's new notifications in one workspace, in their language. */
export type NotificationMail = (summary: NoticeReader & { messages: readonly Notice[] }) => { subject: string; text: string };

/** The body of a webhook to a chat as it waits: its words are made as it is sent. */
export type StoredChat = NoticeReader & Pick<Notice, 'subject' | 'link'>;

export type QueueNotificationsDeps = {
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  newId: NewId;
  notificationMail: NotificationMail;
  /** Public origin, without a trailing slash. */
  origin: string;
};

type Claimed = {
  id: string;
  workspace_id: string;
  workspace_name: string;
  is_demo: boolean;
  user_id: string;
  email: string;
  kind: string;
  subject: Json;
  settings: Json;
  run: Json;
  approval: Json;
};
type ReadNotification = Claimed & { kind: Parameters<typeof isWanted>[1]; read: NotificationSubject; wishes: NotificationSettings };

/**
 * Queues mails and webhooks of what is new: one mail a person and workspace, however much happened at once, and one webhook a message. What
 * is claimed and what is queued commit together. Returns how many notifications were taken.
 */
export async function queueNotifications(deps: QueueNotificationsDeps): Promise<number> {
  return deps.asApp(async (db) => {
    const { rows } = await sql<Claimed>`select * from quorate.claim_notifications(${BATCH})`.execute(db);
    const notifications = rows.flatMap((row): ReadNotification[] => {
      const read = readSubject(row.subject);
      if (read === null || !isNotificationKind(row.kind)) return [];
      return [{ ...row, kind: row.kind, read, wishes: notificationSettingsSchema.parse(row.settings) }];
    });
    const deliveries = [...mailsOf(notifications, deps), ...webhooksOf(notifications, deps)];
    if (deliveries.length > 0) await sql`select quorate.queue_deliveries(${JSON.stringify(deliveries)}::jsonb)`.execute(db);
    return rows.length;
  });
}

function mailsOf(notifications: readonly ReadNotification[], deps: QueueNotificationsDeps) {
  const inboxes = Map.groupBy(
    notifications.filter(({ kind, wishes, read }) => read.mail !== false && isWanted(wishes, kind, 'mail')),
    (row) => `${row.workspace_id} ${row.user_id}`,
  );
  return [...inboxes.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const mail = deps.notificationMail({
      language: first.wishes.language ?? 'en',
      workspace: first.workspace_name,
      isDemo: first.is_demo,
      messages: rows.map((row) => ({
        subject: row.read,
        link: linkTo(deps.origin, row.workspace_id, row.read.about),
        run: readNoticeRun(row.run),
        asked: readNoticeAsked(row.run),
        approval: readNoticeApproval(row.approval),
      })),
    });
    return [
      {
        id: deps.newId(),
        workspaceId: first.workspace_id,
        kind: 'mail',
        target: first.email,
        subject: mail.subject,
        body: mail.text,
        notices: rows.map(({ id }) => id),
      },
    ];
  });
}

function webhooksOf(notifications: readonly ReadNotification[], deps: QueueNotificationsDeps) {
  return notifications.flatMap((row) => {
    const { notificationWebhook } = row.wishes;
    if (notificationWebhook === null || !isWanted(row.wishes, row.kind, 'webhook')) return [];
    const link = linkTo(deps.origin, row.workspace_id, row.read.about);
    // Named, and put into words, as it is sent: a webhook keeps what it says.
    const chat: StoredChat = {
      language: row.wishes.language ?? 'en',
      workspace: row.workspace_name,
      isDemo: row.is_demo,
      subject: row.read,
      link,
    };
    const own = {
      type: 'notification',
      id: row.id,
      kind: row.kind,
      workspace: { id: row.workspace_id, name: row.workspace_name },
      message: row.read.key,
      values: row.read.values,
      run: null,
      link,
    };
    return [
      {
        id: deps.newId(),
        workspaceId: row.workspace_id,
        kind: 'webhook',
        target: notificationWebhook.url,
        subject: row.kind,
        body: JSON.stringify(notificationWebhook.format === 'json' ? own : chat),
        format: notificationWebhook.format,
        sealedSecret: notificationWebhook.secret,
        secretContext: webhookContext(row.user_id),
        notices: [row.id],
      },
    ];
  });
}
