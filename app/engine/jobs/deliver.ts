import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { GuardedFetch, Log, LogSigner, Mailer, NewId, Sealer } from '#app/contracts/ports.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { type Notice, type NoticeReader, type NoticeWords, readNoticeApproval } from '#app/domain/people/notice.ts';
import type { WebhookFormat } from '#app/domain/people/notification-kinds.ts';
import { readNoticeAsked, readNoticeRun } from '#app/domain/people/notifications.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { type LogAlarmMail, queueLogAlarms } from '#app/engine/audit/queue-alarms.ts';
import { type CheckpointMail, queueDueCheckpoints } from '#app/engine/audit/queue-checkpoints.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';
import { retryPause } from '#app/engine/jobs/retry-pause.ts';
import { sendWebhook, webhookSecret } from '#app/engine/jobs/webhook.ts';
import { type NotificationMail, queueNotifications, type StoredChat } from '#app/engine/notifications/queue-notifications.ts';
import { chatMessage } from '#app/engine/webhooks/chat-message.ts';

const PAUSE_MS = 1000;
const BATCH = 20;
/** Longer than any one attempt may take: whoever dies with a delivery leaves it to the next after this. */
const LEASE = '2 minutes';
const ALARMS_EVERY_MS = 15_000;
const REMINDERS_AT_ONCE = 200;
const UPKEEP_EVERY_MS = 10 * 60_000;
const LONGEST_ERROR = 300;

export type DeliveryDeps = {
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  mailer: Mailer;
  fetch: GuardedFetch;
  signer: LogSigner;
  sealer: Sealer;
  log: Log;
  newId: NewId;
  now(): Date;
  /** The words of the mail that takes a checkpoint out of the instance. */
  checkpointMail: CheckpointMail;
  /** The words of the mail that tells of a log which was tampered with, and who gets it beside the admins. */
  logAlarmMail: LogAlarmMail;
  operatorEmail: string | null;
  /** The words of the mail about new notifications. */
  notificationMail: NotificationMail;
  /** The words of a notification for the channel of a chat. */
  noticeWriter(reader: NoticeReader): (notice: Notice) => NoticeWords;
  /** Public origin, without a trailing slash. */
  origin: string;
};

type Delivery = {
  id: string;
  workspace_id: string | null;
  kind: 'mail' | 'webhook';
  target: string;
  subject: string;
  body: string;
  attempts: number;
  sealed_secret: Uint8Array | null;
  secret_context: string | null;
  private_network: Json;
  format: WebhookFormat;
  run: Json;
  approval: Json;
};

/**
 * Queues what people are told by mail or webhook, and sends what is queued, until stopped; now and then queues checkpoints and
 * tells of invitations whose time is over, and of forms, approvals and reports that are due. Several processes share the work.
 */
export function startDeliveries(deps: DeliveryDeps): { stop(): Promise<void> } {
  let upkeepAt = 0;
  let alarmsAt = 0;
  return repeat({
    async work() {
      if (deps.now().getTime() >= upkeepAt) {
        upkeepAt = deps.now().getTime() + UPKEEP_EVERY_MS;
        await queueDueCheckpoints(deps);
        await deps.asApp((db) => sql`select quorate.notify_expired_invitations()`.execute(db));
        await deps.asApp((db) => sql`select quorate.forget_deputies()`.execute(db));
        await deps.asApp((db) => sql`select quorate.remind_agent_reviews()`.execute(db));
      }
      if (deps.now().getTime() >= alarmsAt) {
        alarmsAt = deps.now().getTime() + ALARMS_EVERY_MS;
        await queueLogAlarms(deps);
        await deps.asApp((db) => sql`select quorate.remind_human_tasks()`.execute(db));
        await deps.asApp((db) => sql`select quorate.begin_deputies()`.execute(db));
        await deps.asApp((db) => sql`select quorate.remind_incidents()`.execute(db));
        await remindOfApprovals(deps);
      }
      await queueNotifications(deps);
      return (await deliverDue(deps)) === BATCH ? 0 : PAUSE_MS;
    },
    failed(error) {
      deps.log.error('deliveries: nothing could be fetched', { error });
      return PAUSE_MS;
    },
  });
}

/** Each approval in a transaction of its own, which holds its audit event. What is left waits for the next time. */
export async function remindOfApprovals({ asApp }: Pick<DeliveryDeps, 'asApp'>): Promise<void> {
  for (let n = 0; n < REMINDERS_AT_ONCE; n++) {
    const { rows } = await asApp((db) => sql<{ more: boolean }>`select quorate.remind_approval() as more`.execute(db));
    if (rows[0]?.more !== true) return;
  }
}

/** One batch; answers how many were tried. */
export async function deliverDue(deps: DeliveryDeps): Promise<number> {
  const due = await deps.asApp((db) => sql<Delivery>`select * from quorate.claim_deliveries(${BATCH}, ${LEASE}::interval)`.execute(db));
  await Promise.all(due.rows.map((delivery) => deliver(deps, delivery)));
  return due.rows.length;
}

/** The body of a webhook; one about a notification names the run, and what an approval asks, as they are now. */
function bodyOf({ body, format, run, approval }: Delivery, { noticeWriter }: DeliveryDeps): string {
  if (format !== 'json') {
    const { subject, link, ...reader } = JSON.parse(body) as StoredChat;
    const notice = { subject, link, run: readNoticeRun(run), asked: readNoticeAsked(run), approval: readNoticeApproval(approval) };
    return JSON.stringify(chatMessage(format, { ...noticeWriter(reader)(notice), link, language: reader.language }));
  }
  const named = readNoticeRun(run);
  if (named === null) return body;
  const said = JSON.parse(body) as { [name: string]: Json };
  return JSON.stringify({ ...said, run: { ...named, subject: plainSubject(named.subject) } });
}

async function deliver(deps: DeliveryDeps, delivery: Delivery): Promise<void> {
  let failure: string | null = null;
  try {
    if (delivery.kind === 'mail') await deps.mailer.send({ to: delivery.target, subject: delivery.subject, text: delivery.body });
    else
      await sendWebhook(deps.fetch, {
        id: delivery.id,
        url: delivery.target,
        body: bodyOf(delivery, deps),
        secret:
          delivery.sealed_secret === null
            ? webhookSecret(deps.signer, delivery.workspace_id ?? '')
            : deps.sealer.open(delivery.sealed_secret, delivery.secret_context ?? ''),
        at: deps.now(),
        privateNetwork: readWorkspaceNetwork(delivery.private_network),
      });
  } catch (error) {
    failure = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR);
    deps.log.warn('deliveries: an attempt failed', { delivery: delivery.id, kind: delivery.kind, attempt: delivery.attempts, failure });
  }
  const pause = failure === null ? null : retryPause(delivery.attempts);
  const retryAt = pause === null ? null : new Date(deps.now().getTime() + pause);
  await deps.asApp((db) =>
    sql`select quorate.settle_delivery(${delivery.id}::uuid, ${delivery.attempts}::int, ${failure === null}::boolean, ${failure}::text, ${retryAt}::timestamptz)`.execute(
      db,
    ),
  );
}
