import type { ActionFunctionArgs } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { endSessions } from '#app/features/auth/session/end-sessions.server.ts';
import { returnPath, signInPath } from '#app/features/auth/session/return-path.ts';

/** Ends this session in the service and takes its cookies away. */
export async function signOut({ request, context }: ActionFunctionArgs) {
  await endSessions(context, request, 'local');
  const next = returnPath((await request.formData()).get('next'));
  return redirectWithNotice(signInPath(next), 'signedOut');
}
