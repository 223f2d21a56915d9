import { sql } from 'kysely';
import { chosenWorkspace } from '#app/components/look/workspace-cookie.ts';
import type { Access } from '#app/contracts/access.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import type { Membership } from '#app/contracts/principals.ts';
import { UNREAD_COUNT_LIMIT } from '#app/engine/notifications/count-unread.ts';

type Who = Pick<SessionUser, 'id' | 'sessionId'> & { address: string };

/** The current workspace: the cookie's choice, else the one used last, else the first. */
export function chosenMembership(memberships: readonly [Membership, ...Membership[]], cookieHeader: string | null): Membership {
  const chosen = chosenWorkspace(cookieHeader);
  return memberships.find(({ workspace }) => workspace.id === chosen) ?? memberships.find(({ isLast }) => isLast) ?? memberships[0];
}

/** The workspace to open after signing in: the one that has the thing at `path`, or the chosen one. Null for a person without any. */
export async function workspaceFor(access: Access, user: Who, cookieHeader: string | null, path: string): Promise<string | null> {
  const [first, ...rest] = await access.membershipsOf({
    userId: user.id,
    sessionId: user.sessionId,
    countUpTo: UNREAD_COUNT_LIMIT,
    address: user.address,
  });
  if (first === undefined) return null;
  const chosen = chosenMembership([first, ...rest], cookieHeader);
  const others = [first, ...rest].filter((membership) => membership !== chosen);
  const owner = await findOwner(access, user, [chosen, ...others], path);
  return (owner ?? chosen).workspace.id;
}

const ID_IN_PATH = /^\/dashboard\/.*?\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=[/?#]|$)/i;

/**
 * The first of these memberships in whose workspace the person sees the thing that the address names; null when they see it in none. Each
 * look is the member's own, so that a thing which is not for them is as absent as one that never was.
 */
export async function findOwner(access: Access, user: Who, memberships: readonly Membership[], path: string): Promise<Membership | null> {
  const id = ID_IN_PATH.exec(path)?.[1];
  if (id === undefined) return null;
  for (const membership of memberships) {
    // Nothing of it opens to this session yet.
    if (membership.owesCompany || membership.owesSession !== null) continue;
    const { id: userId, sessionId, address } = user;
    const who = { userId, sessionId, address, workspaceId: membership.workspace.id };
    const found = await access.asMember(who, (db) =>
      sql<{ seen: boolean }>`select ${seenIn(membership.workspace.id, id)} as seen`.execute(db),
    );
    if (found.rows[0]?.seen === true) return membership;
  }
  return null;
}

function seenIn(workspaceId: string, id: string) {
  const tables = ['runs', 'approvals', 'artifacts', 'connections', 'decisions', 'audit_events', 'triggers', 'api_keys'];
  const looks = tables.map(
    (table) =>
      sql`exists (select from ${sql.table(`quorate.${table}`)} t where t.workspace_id = ${workspaceId}::uuid and t.id = ${id}::uuid)`,
  );
  return sql.join(looks, sql` or `);
}
