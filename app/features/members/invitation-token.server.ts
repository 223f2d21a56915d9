import { createHash, randomBytes } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { ownInvitation } from '#app/engine/account/own-invitation.ts';
import { authContext, servicesContext } from '#app/request-context.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits; the database keeps their hash alone. */
export function createInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The invitation of an address `/invitations/:token`: by its token, or by its id for whoever has its mailbox. Null: there is none. */
export async function invitationHash(context: Readonly<RouterContextProvider>, token: string): Promise<Uint8Array | null> {
  const id = z.uuid().safeParse(token).data;
  if (id === undefined) return hashInvitationToken(token);
  const { user } = context.get(authContext);
  if (user === null) return null;
  const found = await context.get(servicesContext).access.asNobody((db) => ownInvitation(db, user, id));
  return found?.hash ?? null;
}

/** What the database knows a token by; null for text that is no token. */
export function hashInvitationToken(token: string): Uint8Array | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : null;
}
