import type { Role } from '#app/domain/roles.ts';
import type { Access, SessionUser } from '#app/request-context.ts';

/** One workspace that a person belongs to, and what they are in it. */
export type Membership = {
  workspace: { id: string; name: string; slug: string; haltedAt: Date | null };
  name: string;
  email: string;
  roles: readonly Role[];
};

const SEEN_EVERY_MS = 5 * 60_000;
const REMEMBERED_SESSIONS = 10_000;
const lastSeen = new Map<string, number>();

/**
 * The memberships of a signed-in person, oldest first. Throws AppError `unauthenticated` when the session has been ended
 * elsewhere. Notes now and then that the session was seen, for the list of sessions.
 */
export async function loadMemberships(access: Access, user: SessionUser, seen: { at: Date; browser: string }): Promise<Membership[]> {
  const due = isSightingDue(user.sessionId, seen.at.getTime());
  return access.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: null }, async (db) => {
    if (due) {
      await db
        .insertInto('quorate.user_sessions')
        .values({ session_id: user.sessionId, user_id: user.id, browser: seen.browser.slice(0, 300), last_seen_at: seen.at })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ last_seen_at: seen.at }))
        .execute();
    }
    const rows = await db
      .selectFrom('quorate.members as m')
      .innerJoin('quorate.workspaces as w', 'w.id', 'm.workspace_id')
      .select(['m.workspace_id', 'm.roles', 'm.name', 'm.email', 'w.name as workspace_name', 'w.slug', 'w.halted_at'])
      .where('m.user_id', '=', user.id)
      .orderBy('m.created_at')
      .orderBy('m.workspace_id')
      .execute();
    return rows.map((row) => ({
      workspace: { id: row.workspace_id, name: row.workspace_name, slug: row.slug, haltedAt: row.halted_at },
      name: row.name,
      email: row.email,
      roles: row.roles,
    }));
  });
}

function isSightingDue(sessionId: string, now: number): boolean {
  if (now - (lastSeen.get(sessionId) ?? Number.NEGATIVE_INFINITY) < SEEN_EVERY_MS) return false;
  if (lastSeen.size >= REMEMBERED_SESSIONS) lastSeen.clear();
  lastSeen.set(sessionId, now);
  return true;
}
