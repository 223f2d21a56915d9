import { href, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';

/** The account that would be signed out. Reading this signs nobody out. */
export function loadSignOut({ context }: LoaderFunctionArgs): { email: string } {
  const { user } = context.get(authContext);
  if (user === null) throw redirect(href('/auth'));
  return { email: user.email };
}
