import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { nameBrowser } from '#app/features/account/sessions/browser-name.ts';

type SessionRow = { session_id: string; browser: string; first_seen_at: Date; last_seen_at: Date };

/** One's own open sessions, this one first, then the most recently seen. */
export async function loadSessions(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { rows } = await read((db) => sql<SessionRow>`select * from quorate.list_own_sessions()`.execute(db));
  const sessions = rows.map((row) => ({
    id: row.session_id,
    ...nameBrowser(row.browser),
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row.session_id === member.sessionId,
  }));
  return { sessions: [...sessions.filter((session) => session.current), ...sessions.filter((session) => !session.current)] };
}
export type SessionsView = Awaited<ReturnType<typeof loadSessions>>;
export type ListedSession = SessionsView['sessions'][number];
