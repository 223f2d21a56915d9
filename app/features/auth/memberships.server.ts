import type { Role } from '#app/domain/roles.ts';
import type { Access, SessionUser } from '#app/request-context.ts';

/** One workspace that a person belongs to, and what they are in it. */
export type Membership = {
  workspace: { id: string; name: string; slug: string; haltedAt: Date | null };
  name: string;
  email: string;
  roles: readonly Role[];
};

/**
 * The memberships of a signed-in person, oldest first. Throws AppError `unauthenticated` when the session has been ended
 * elsewhere.
 */
export async function loadMemberships(access: Access, user: SessionUser): Promise<Membership[]> {
  return access.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: null }, async (db) => {
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
