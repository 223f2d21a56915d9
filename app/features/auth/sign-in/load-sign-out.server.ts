import { href, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext } from '#app/contracts/request-context.ts';
import { NO_WORKSPACE } from '#app/features/auth/session/return-path.ts';

/** The account that would be signed out. Reading this signs nobody out. */
export function loadSignOut({ url, context }: LoaderFunctionArgs): { email: string; homeless: boolean } {
  const { user } = context.get(authContext);
  if (user === null) throw redirect(href('/auth'));
  return { email: user.email, homeless: url.searchParams.has(NO_WORKSPACE) };
}
