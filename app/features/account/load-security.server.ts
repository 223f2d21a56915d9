import type { RouterContextProvider } from 'react-router';
import { ownSecondFactor } from '#app/engine/account/own-second-factor.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** How one signs in, and what this instance's auth service can do about it. */
export async function loadSecurity(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const factor = await read((db) => ownSecondFactor(db, member.sessionId));
  return {
    email: member.email,
    backend: context.get(servicesContext).identity.mode,
    enrolled: factor.enrolled,
    codesLeft: factor.codesLeft,
  };
}
export type SecurityView = Awaited<ReturnType<typeof loadSecurity>>;
