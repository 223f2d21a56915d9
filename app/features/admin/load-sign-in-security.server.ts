import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { ROLES, type Role } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { SIGN_IN_ACCOUNT_LIMIT } from '#app/domain/people/sign-in-limits.ts';
import { KEY_WARNING_DAYS } from '#app/features/admin/key-warning.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

const DAY_MS = 86_400_000;

/** How safely members sign in: attempts that count, open sessions, roles, and keys that end soon. */
export async function loadSignInSecurity(context: Readonly<RouterContextProvider>) {
  const { member, read } = requirePermission(context, 'readAuditLog');
  const until = new Date(context.get(servicesContext).now().getTime() + KEY_WARNING_DAYS * DAY_MS);
  return read(async (db) => {
    const window = `${SIGN_IN_ACCOUNT_LIMIT.windowSeconds} seconds`;
    const secured = await sql<{
      user_id: string;
      sessions: number;
      last_seen_at: Date | null;
      last_sign_in_at: Date | null;
      wrong_passwords: number;
    }>`select * from quorate.read_member_security(${window}::interval)`.execute(db);
    const keys = await sql<{
      id: string;
      name: string;
      prefix: string;
      owner: string;
      expires_at: Date;
      last_used_at: Date | null;
    }>`select * from quorate.list_ending_keys(${until})`.execute(db);
    const members = await db
      .selectFrom('quorate.members')
      .select(['user_id', 'name', 'roles'])
      .where('workspace_id', '=', member.workspace.id)
      .orderBy('name')
      .orderBy('user_id')
      .execute();
    const found = new Map(secured.rows.map((row) => [row.user_id, row]));
    return {
      members: members.map((row) => {
        const facts = found.get(row.user_id);
        return {
          id: row.user_id,
          name: row.name,
          roles: row.roles as Role[],
          sessions: facts?.sessions ?? 0,
          lastSeenAt: facts?.last_seen_at?.toISOString() ?? null,
          lastSignInAt: facts?.last_sign_in_at?.toISOString() ?? null,
          wrongPasswords: facts?.wrong_passwords ?? 0,
        };
      }),
      roles: ROLES.map((role) => ({ role, members: members.filter((row) => row.roles.includes(role)).map((row) => row.name) })),
      keys: keys.rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        owner: row.owner,
        expiresAt: row.expires_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      })),
    };
  });
}
export type SignInSecurity = Awaited<ReturnType<typeof loadSignInSecurity>>;
