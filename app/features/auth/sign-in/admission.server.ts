import { data, type RouterContextProvider } from 'react-router';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { admitsAddress } from '#app/domain/people/registration.ts';
import { expectsSomebody } from '#app/engine/account/expected-addresses.ts';
import { hashInvitationToken } from '#app/engine/account/invitation-token.ts';
import { peekInvitation } from '#app/engine/account/peek-invitation.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import type { Admission } from '#app/features/auth/sign-in/admission.ts';

/**
 * The people who may make an account by this page: as the instance is set, or the holder of the invitation to which its `next` leads back. By
 * the link and not by an address, so that the page tells nobody who was invited.
 */
export async function admissionOf(context: Readonly<RouterContextProvider>, url: URL): Promise<Admission> {
  const { registration, access } = context.get(servicesContext);
  if (registration.kind === 'open' || registration.kind === 'closed') return registration;
  const [, token = ''] = /^\/invitations\/([^/?#]+)$/.exec(returnPath(url.searchParams.get('next'))) ?? [];
  const hash = hashInvitationToken(token);
  if (hash === null) return orExpected(context);
  const { wait, found } = await access.asNobody((db) => peekInvitation(db, hash, context.get(clientContext).address));
  if (wait > 0) throw data({ code: 'over_limit', values: { seconds: wait } }, { status: 429 });
  return found?.state === 'open' ? { kind: 'invitation', email: found.email } : orExpected(context);
}

/** Where accounts are by invitation, whoever a directory of some workspace expects needs no link. */
async function orExpected(context: Readonly<RouterContextProvider>): Promise<Admission> {
  const { registration, access } = context.get(servicesContext);
  return registration.kind === 'invited' && (await access.asNobody((db) => expectsSomebody(db))) ? { kind: 'expected' } : registration;
}

/** Whether this address may have an account; of one that a directory expects, it is found out without telling. */
export function isAdmitted(context: Readonly<RouterContextProvider>, admission: Admission, email: string): boolean {
  if (admission.kind === 'invitation' && admission.email.toLowerCase() === email.toLowerCase()) return true;
  if (admission.kind === 'expected') return true;
  return admitsAddress(context.get(servicesContext).registration, email);
}
