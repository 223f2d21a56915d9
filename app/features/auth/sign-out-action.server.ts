import type { ActionFunctionArgs } from 'react-router';
import { data } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { failureGroup } from '#app/features/auth/auth-failure.ts';
import { returnPath, signInPath } from '#app/features/auth/return-path.ts';
import { authContext, clientContext, servicesContext } from '#app/request-context.ts';

/** Ends this session in the service and takes its cookies away. A failure is thrown (specification, section 8): nobody may believe they are out. */
export async function signOut({ request, context }: ActionFunctionArgs) {
  const { client, user, headers } = context.get(authContext);
  const { identity } = context.get(servicesContext);
  if (user !== null) {
    const { error } = await client.auth.signOut({ scope: 'local' });
    if (error !== null && failureGroup(error) !== 'session') throw data({ code: 'unavailable' }, { status: 503 });
  }
  const cleared = identity.clearCookie(request.headers.get('Cookie'), context.get(clientContext).secure);
  for (const [name, value] of cleared) headers.append(name, value);
  const next = returnPath((await request.formData()).get('next'));
  return redirectWithNotice(signInPath(next), 'signedOut');
}
