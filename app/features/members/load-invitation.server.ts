import { sql } from 'kysely';
import { data, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router';
import type { Role } from '#app/contracts/people.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { invitationHash } from '#app/features/members/invitation-token.server.ts';
import type { InvitationState } from '#app/features/members/load-pending.server.ts';

const PEEK_LIMIT = { name: 'invitationPeek', max: 200, windowSeconds: 900 };

export type Peeked = { id: string; workspace: string; email: string; roles: Role[]; state: InvitationState };

/** The invitation as its holder may see it, signed in or not; null for a token that is unknown. */
export async function peekInvitation(context: Readonly<RouterContextProvider>, token: string): Promise<Peeked | null> {
  const { access } = context.get(servicesContext);
  const hash = await invitationHash(context, token);
  const { wait, row } = await access.asNobody(async (db) => {
    const wait = await takeLimit(db, PEEK_LIMIT, context.get(clientContext).address);
    if (wait > 0 || hash === null) return { wait, row: undefined };
    const found = await sql<{ id: string; workspace_name: string; email: string; roles: Role[]; state: InvitationState }>`
      select * from quorate.peek_invitation(${hash})`.execute(db);
    return { wait, row: found.rows[0] };
  });
  if (wait > 0) throw data({ code: 'over_limit', values: { seconds: wait } }, { status: 429 });
  return row === undefined ? null : { id: row.id, workspace: row.workspace_name, email: row.email, roles: row.roles, state: row.state };
}

/** The address is shown only to someone who holds the link. */
export type InvitationView =
  | { kind: 'unknown' }
  | { kind: 'over'; workspace: string; state: Exclude<InvitationState, 'open'> }
  | { kind: 'anonymous' | 'ready'; workspace: string; email: string; roles: Role[]; path: string }
  | { kind: 'wrongAccount'; workspace: string; email: string; current: string; path: string };

export async function loadInvitation({ params, url, context }: LoaderFunctionArgs) {
  const found = await peekInvitation(context, params.token ?? '');
  if (found === null) return data<InvitationView>({ kind: 'unknown' }, { status: 404 });
  const { workspace, email, roles, state } = found;
  if (state !== 'open') return data<InvitationView>({ kind: 'over', workspace, state }, { status: 410 });
  const { user } = context.get(authContext);
  if (user === null) return data<InvitationView>({ kind: 'anonymous', workspace, email, roles, path: url.pathname });
  if (user.email.toLowerCase() !== email.toLowerCase()) {
    return data<InvitationView>({ kind: 'wrongAccount', workspace, email, current: user.email, path: url.pathname }, { status: 403 });
  }
  return data<InvitationView>({ kind: 'ready', workspace, email, roles, path: url.pathname });
}
