import type { RouterContextProvider } from 'react-router';
import type { RequestAuth } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { verifyPassword } from '#app/features/auth/session/verify-password.server.ts';

/**
 * Checks the password of this request's person, and tells the database what they prove it for: one act on each of these things, by this very
 * session. @throws AppError as `verifyPassword`, and `unauthenticated` where the session has ended meanwhile
 */
export async function reauthenticate(
  context: Readonly<RouterContextProvider>,
  password: string,
  noted: Parameters<RequestAuth['reauthenticate']>[1],
): Promise<boolean> {
  const { user, token } = context.get(authContext);
  if (user === null || !(await verifyPassword(context, user, password))) return false;
  const method = token?.assurance === 'aal2' ? 'password_and_factor' : 'password';
  const { access } = context.get(servicesContext);
  if (noted !== null) await access.noteReauthentication({ userId: user.id, sessionId: user.sessionId, method, ...noted });
  return true;
}
