import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Access, SessionUser } from '#app/request-context.ts';

const SEEN_EVERY_MS = 60_000;
const REMEMBERED_SESSIONS = 10_000;
const lastSeen = new LRUCache<string, { workspaceId: string; at: number }>({ max: REMEMBERED_SESSIONS });

/** Writes down that a session is there and in which browser, for its owner's list, and in which workspace (null: none yet). */
export async function noteSession(
  access: Access,
  user: Pick<SessionUser, 'id' | 'sessionId'>,
  userAgent: string | null,
  workspaceId: string | null,
): Promise<void> {
  await access.asNobody((db) =>
    sql`select quorate.note_session(${user.id}::uuid, ${user.sessionId}::uuid, ${userAgent ?? ''}, ${workspaceId}::uuid)`.execute(db),
  );
}

/** True once a minute for each session, and at once in another workspace: on every other request its use costs a look into a map. */
export function isSightingDue(sessionId: string, workspaceId: string, now: number): boolean {
  const last = lastSeen.get(sessionId);
  if (last !== undefined && last.workspaceId === workspaceId && now - last.at < SEEN_EVERY_MS) return false;
  lastSeen.set(sessionId, { workspaceId, at: now });
  return true;
}
