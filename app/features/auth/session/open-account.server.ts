import { type RouterContextProvider, redirect } from 'react-router';
import { workspaceCookie } from '#app/components/look/workspace-cookie.ts';
import type { AuthSession, AuthUser } from '#app/contracts/identity.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { adoptEmail } from '#app/engine/commands/account/adopt-email.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { noteSession } from '#app/engine/commands/sessions/note-session.ts';
import { workspaceFor } from '#app/features/auth/session/chosen-workspace.server.ts';
import { ensureAccount } from '#app/features/auth/session/ensure-account.server.ts';
import { keptPreferenceCookies } from '#app/features/auth/session/kept-preferences.server.ts';
import { readReturnCookie, returnCookie } from '#app/features/auth/session/return-cookie.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';

type Arrival = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/** After a sign-in or a confirmation: profile and workspace are made sure of, and the person goes where they were going. */
export async function openAccount(
  { request, url, context }: Arrival,
  opened: { session: AuthSession | null; user: AuthUser | null },
): Promise<Response> {
  const claims =
    opened.session === null ? null : await context.get(servicesContext).identity.verifyAccessToken(opened.session.access_token);
  if (claims === null) throw new Error('the auth service answered a session that does not verify');
  const name = opened.user?.user_metadata.name;
  const services = context.get(servicesContext);
  const user = { id: claims.userId, email: claims.email, sessionId: claims.sessionId };
  await ensureAccount(context, user, typeof name === 'string' ? name : undefined);
  await performAsNobody(adoptEmail, services, { user: user.id });
  const browser = request.headers.get('User-Agent') ?? '';
  await performAsNobody(noteSession, services, { user: user.id, session: user.sessionId, browser, workspace: null });
  const path = returnPath(url.searchParams.get('next') ?? readReturnCookie(request.headers.get('Cookie')));
  const { secure } = context.get(clientContext);
  const headers = new Headers({ 'Set-Cookie': returnCookie(null, secure) });
  headers.append('Set-Cookie', emailCookie(null, secure));
  for (const cookie of await keptPreferenceCookies(context, request, claims)) headers.append('Set-Cookie', cookie);
  const workspace = await workspaceFor(
    services.access,
    { ...user, address: context.get(clientContext).address },
    request.headers.get('Cookie'),
    path,
  );
  if (workspace !== null) headers.append('Set-Cookie', workspaceCookie(workspace, secure));
  return redirect(path, { status: 303, headers });
}
