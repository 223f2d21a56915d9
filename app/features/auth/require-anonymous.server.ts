import { type MiddlewareFunction, redirect } from 'react-router';
import { returnPath } from '#app/features/auth/return-path.ts';
import { authContext } from '#app/request-context.ts';

/** Middleware of screens for people who are not signed in: everybody else goes on to where they were going. */
export const requireAnonymous: MiddlewareFunction<Response> = async ({ url, context }, next) => {
  if (context.get(authContext).user !== null) throw redirect(returnPath(url.searchParams.get('next')));
  return next();
};

/** Middleware of the start page: a signed-in person goes to the app (specification, section 2). */
export const redirectSignedIn: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (context.get(authContext).user !== null) throw redirect('/app/dashboard');
  return next();
};
