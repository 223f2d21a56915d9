import { sql } from 'kysely';
import type { Access, SessionUser } from '#app/request-context.ts';

const SEEN_EVERY_MS = 60_000;
const REMEMBERED_SESSIONS = 10_000;
const lastSeen = new Map<string, number>();

/** Writes down that a session is there and in which browser, for its owner's list. */
export async function noteSession(access: Access, user: Pick<SessionUser, 'id' | 'sessionId'>, userAgent: string | null): Promise<void> {
  await access.asNobody((db) =>
    sql`select quorate.note_session(${user.id}::uuid, ${user.sessionId}::uuid, ${userAgent ?? ''})`.execute(db),
  );
}

/** True once a minute for each session: on every other request its use costs a look into a map. */
export function isSightingDue(sessionId: string, now: number): boolean {
  if (now - (lastSeen.get(sessionId) ?? Number.NEGATIVE_INFINITY) < SEEN_EVERY_MS) return false;
  if (lastSeen.size >= REMEMBERED_SESSIONS) lastSeen.clear();
  lastSeen.set(sessionId, now);
  return true;
}
