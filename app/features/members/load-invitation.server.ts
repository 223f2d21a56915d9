import { data, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router';
import type { Role } from '#app/contracts/people.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import type { InvitationState } from '#app/domain/people/invitation.ts';
import { type Peeked, peekInvitation } from '#app/engine/account/peek-invitation.ts';
import { invitationHash } from '#app/features/members/invitation-token.server.ts';

/** The invitation of an address `/invitations/:token`; null for one that is unknown. */
export async function invitationAt(context: Readonly<RouterContextProvider>, token: string): Promise<Peeked | null> {
  const hash = await invitationHash(context, token);
  const { address } = context.get(clientContext);
  const { wait, found } = await context.get(servicesContext).access.asNobody((db) => peekInvitation(db, hash, address));
  if (wait > 0) throw data({ code: 'over_limit', values: { seconds: wait } }, { status: 429 });
  return found;
}

/** The address is shown only to someone who holds the link. */
export type InvitationView =
  | { kind: 'unknown' }
  | { kind: 'over'; workspace: string; state: Exclude<InvitationState, 'open'> }
  | { kind: 'anonymous' | 'ready'; workspace: string; email: string; roles: Role[]; memberUntil: string | null; path: string }
  | { kind: 'wrongAccount'; workspace: string; email: string; current: string; path: string };

export async function loadInvitation({ params, url, context }: LoaderFunctionArgs) {
  const found = await invitationAt(context, params.token ?? '');
  if (found === null) return data<InvitationView>({ kind: 'unknown' }, { status: 404 });
  const { workspace, email, roles, state } = found;
  const memberUntil = found.memberUntil?.toISOString() ?? null;
  if (state !== 'open') return data<InvitationView>({ kind: 'over', workspace, state }, { status: 410 });
  const { user } = context.get(authContext);
  if (user === null) return data<InvitationView>({ kind: 'anonymous', workspace, email, roles, memberUntil, path: url.pathname });
  if (user.email.toLowerCase() !== email.toLowerCase()) {
    return data<InvitationView>({ kind: 'wrongAccount', workspace, email, current: user.email, path: url.pathname }, { status: 403 });
  }
  return data<InvitationView>({ kind: 'ready', workspace, email, roles, memberUntil, path: url.pathname });
}
