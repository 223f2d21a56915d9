import { type MiddlewareFunction, redirect } from 'react-router';
import { owesFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { factorPath } from '#app/features/auth/session/return-path.ts';
import { authContext } from '#app/request-context.ts';

/** Middleware of screens outside the app area that do something in the name of whoever is signed in. */
export const requireFactor: MiddlewareFunction<Response> = async ({ url, context }, next) => {
  const { user } = context.get(authContext);
  if (user !== null && (await owesFactor(context, user))) throw redirect(factorPath(`${url.pathname}${url.search}`), { status: 303 });
  return next();
};
