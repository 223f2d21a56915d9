import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import type { EventStream } from '#app/components/live/event-stream.server.ts';
import type { Counts } from '#app/components/live/live-counts.tsx';
import { endStream, type StreamSource } from '#app/components/live/member-stream.server.ts';
import { askedWords } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { MemberAccess } from '#app/contracts/access.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import type { AskedWords } from '#app/domain/runs/subject/subject-text.ts';
import { countWaiting } from '#app/engine/approvals/count-pending-approvals.ts';
import { countUnread } from '#app/engine/notifications/count-unread.ts';
import type { ActivityMessage } from '#app/features/notifications/activity-message.ts';
import { runOfNotice, type StoredNotification, showNotification } from '#app/features/notifications/load-inbox.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** Open pages of one person that one process serves. */
const STREAMS_MAX = 12;
/** An earlier row may be committed later: each look goes this far back, and rows that were sent are not sent again. */
const OVERLAP_SECONDS = 30;
const MESSAGES_MAX = 20;

const streams = new Map<string, number>();

/**
 * Events of one person: `notification` for each new one, in their language, and `counts` whenever one of the
 * top bar's counts may have changed, with the moment as its id. Who comes back with that of the last event gets what they missed. Each reading asks
 * whether the session still stands; `over` tells that it does not. Throws AppError `over_limit` beyond STREAMS_MAX.
 */
export function notificationEvents({
  request,
  url,
  context,
}: {
  request: Request;
  url: URL;
  context: Readonly<RouterContextProvider>;
}): StreamSource {
  const access = context.get(memberContext);
  const { engine, log } = context.get(servicesContext);
  const { userId, workspace } = access.member;
  const open = streams.get(userId) ?? 0;
  if (open >= STREAMS_MAX) throw new AppError('over_limit', { values: { seconds: 10 } });
  streams.set(userId, open + 1);
  const after = readMoment(request.headers.get('Last-Event-ID') ?? url.searchParams.get('after'));
  const say = getTranslator(context, 'explanations');
  const words = askedWords(context);
  return (stream) => {
    const reader = createReader(access, after, words, (shown) => {
      const { message, run } = inReadersLanguage(context, { message: shown.message, run: shown.run });
      return { text: String(say(message.key as never, message.values as never)), run: run === null ? null : words.runName(run) };
    });
    let reading = false;
    let again = false;
    const read = async () => {
      again = true;
      if (reading) return;
      reading = true;
      try {
        while (again) {
          again = false;
          await reader.readInto(stream);
        }
      } catch (error) {
        endStream(stream, error, log);
      } finally {
        reading = false;
      }
    };
    const unwatch = engine.watchInbox({ userId, workspaceId: workspace.id }, () => void read());
    return {
      onHeartbeat: () => void read(),
      stop() {
        unwatch();
        const left = (streams.get(userId) ?? 1) - 1;
        if (left > 0) streams.set(userId, left);
        else streams.delete(userId);
      },
    };
  };
}

/** The moment that an event's id says, in milliseconds since 1970; null for anything else. */
function readMoment(id: string | null): Date | null {
  return id !== null && /^\d{1,15}$/.test(id) ? new Date(Number(id)) : null;
}

function createReader(
  { member, read }: MemberAccess,
  after: Date | null,
  words: AskedWords,
  say: (shown: NonNullable<ReturnType<typeof showNotification>>) => Pick<ActivityMessage, 'text' | 'run'>,
) {
  const sent = new Set<string>();
  let since = after;
  return {
    async readInto(stream: EventStream): Promise<void> {
      const first = since === null;
      const at = Date.now();
      const found = await read(async (db) => ({
        unread: await countUnread(db, member),
        approvals: await countWaiting(db, member),
        rows: await newRows(db, since),
        now: await now(db),
      }));
      since = found.now;
      const counts: Counts = { unread: found.unread, approvals: found.approvals, at };
      stream.send('counts', counts, String(at));
      for (const row of found.rows) {
        if (sent.has(row.id)) continue;
        sent.add(row.id);
        // The count on a freshly opened page includes earlier rows.
        if (first) continue;
        const shown = showNotification(row, words);
        if (shown === null) continue;
        const message: ActivityMessage = {
          id: shown.id,
          kind: shown.kind,
          message: shown.message.key,
          ...say(shown),
          path: shown.path,
        };
        stream.send('notification', message);
      }
    },
  };

  /** Unread ones that came after the moment given, less the overlap; the oldest first. */
  async function newRows(db: Db, moment: Date | null): Promise<StoredNotification[]> {
    const from = sql<Date>`coalesce(${moment}::timestamptz, now()) - make_interval(secs => ${OVERLAP_SECONDS})`;
    const rows = await db
      .selectFrom('quorate.notifications as n')
      .where('n.user_id', '=', member.userId)
      .where('n.workspace_id', '=', member.workspace.id)
      .where('n.read_at', 'is', null)
      .where('n.created_at', '>', from)
      .orderBy('n.created_at', 'desc')
      .limit(MESSAGES_MAX)
      .select(['n.id', 'n.kind', 'n.subject', 'n.created_at', runOfNotice.as('run')])
      .execute();
    return rows.reverse();
  }

  async function now(db: Db): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
    return rows[0]?.now ?? new Date();
  }
}
