import { type RouterContextProvider, redirect } from 'react-router';
import { authContext } from '#app/request-context.ts';

/** Who is signed in has no business on the landing page (product-spec section 2). */
export function sendMembersHome(context: Readonly<RouterContextProvider>): null {
  if (context.get(authContext).user) throw redirect('/app/dashboard');
  return null;
}
