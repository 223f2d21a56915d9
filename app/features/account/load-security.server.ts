import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** How one signs in, and what this instance's auth service can do about it. */
export function loadSecurity(context: Readonly<RouterContextProvider>) {
  return { email: context.get(memberContext).member.email, backend: context.get(servicesContext).identity.mode };
}
export type SecurityView = ReturnType<typeof loadSecurity>;
