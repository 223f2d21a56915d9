import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { hashInvitationToken } from '#app/engine/account/invitation-token.ts';
import { ownInvitation } from '#app/engine/account/own-invitation.ts';

/** The invitation of an address `/invitations/:token`: by its token, or by its id for whoever has its mailbox. Null: there is none. */
export async function invitationHash(context: Readonly<RouterContextProvider>, token: string): Promise<Uint8Array | null> {
  const id = z.uuid().safeParse(token).data;
  if (id === undefined) return hashInvitationToken(token);
  const { user } = context.get(authContext);
  if (user === null) return null;
  const found = await context.get(servicesContext).access.asNobody((db) => ownInvitation(db, user, id));
  return found?.hash ?? null;
}
