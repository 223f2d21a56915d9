import { data, type RouterContextProvider } from 'react-router';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';

/**
 * Ends sessions of who is signed in: this one (`local`), all others, or all. Where this one ends its cookies go too. A failure is thrown,
 * so that nobody believes they are out.
 */
export async function endSessions(
  context: Readonly<RouterContextProvider>,
  request: Request,
  scope: 'local' | 'others' | 'global',
): Promise<void> {
  const { client, user, headers } = context.get(authContext);
  if (user !== null) {
    const { error } = await client.auth.signOut({ scope });
    if (error !== null && failureGroup(error) !== 'session') throw data({ code: 'unavailable' }, { status: 503 });
  }
  if (scope === 'others') return;
  const { identity } = context.get(servicesContext);
  const cleared = identity.clearCookie(request.headers.get('Cookie'), context.get(clientContext).secure);
  for (const [name, value] of cleared) headers.append(name, value);
}
