import { type MiddlewareFunction, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { factorPath } from '#app/features/auth/session/return-path.ts';

/** Middleware of screens outside the app area that act for the signed-in person. */
export const requireFactor: MiddlewareFunction<Response> = async ({ url, context }, next) => {
  const { user } = context.get(authContext);
  if (user !== null && (await needsSecondFactor(context, user)))
    throw redirect(factorPath(`${url.pathname}${url.search}`), { status: 303 });
  return next();
};
