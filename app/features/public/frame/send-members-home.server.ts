import { href, type RouterContextProvider, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';

/** Sends members from the landing page to their dashboard. */
export function sendMembersHome(context: Readonly<RouterContextProvider>): null {
  if (context.get(authContext).user) throw redirect(href('/app/*', { '*': 'dashboard' }));
  return null;
}
