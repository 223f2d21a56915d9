import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { SignInSettings } from '#app/domain/connections/sign-in-settings.ts';
import { can } from '#app/domain/people/roles.ts';

/** Whether this member may sign in here: for the workspace those who manage it, for themselves anyone. */
export function maySignIn(context: Readonly<RouterContextProvider>, { by }: SignInSettings): boolean {
  return by === 'member' || can(context.get(memberContext).member.roles, 'manageConnection');
}

/** The one who is signed in for calls of this member: the workspace, or they themselves. Null: nobody yet. */
export async function readHeld(db: Db, connectionId: string, userId: string | null) {
  const grant = await db
    .selectFrom('quorate.oauth_grants as g')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.user_id', '=', 'g.granted_by').onRef('m.workspace_id', '=', 'g.workspace_id'))
    .where('g.connection_id', '=', connectionId)
    .where('g.user_id', userId === null ? 'is' : '=', userId)
    .select(['g.status', 'g.granted_at', 'g.scope', 'g.issuer', 'm.name'])
    .executeTakeFirst();
  if (grant === undefined) return null;
  const { status, granted_at: at, scope, issuer, name } = grant;
  return { lost: status === 'lost', at: at.toISOString(), scope, issuer, by: name ?? '' };
}
