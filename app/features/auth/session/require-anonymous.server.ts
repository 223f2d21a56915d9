import { type MiddlewareFunction, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';

/**
 * Middleware of screens for people who are not signed in: everyone else goes on to where they were going, unless they came to sign in again. A posted sign-in is taken all the
 * same: who names another account must not end up in a session that stood in the browser before (session fixation).
 */
export const requireAnonymous: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && context.get(authContext).user !== null && !url.searchParams.has('again'))
    throw redirect(returnPath(url.searchParams.get('next')));
  return next();
};
