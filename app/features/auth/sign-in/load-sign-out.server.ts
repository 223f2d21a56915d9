import { type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext } from '#app/request-context.ts';

/** Who would be signed out. Reading this signs nobody out. */
export function loadSignOut({ context }: LoaderFunctionArgs): { email: string } {
  const { user } = context.get(authContext);
  if (user === null) throw redirect('/auth');
  return { email: user.email };
}
