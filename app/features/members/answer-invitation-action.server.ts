import { type ActionFunctionArgs, data, href, redirect } from 'react-router';
import { workspaceCookie } from '#app/components/look/workspace-cookie.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { answerInvitation } from '#app/engine/commands/members/answer-invitation.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { invitationHash } from '#app/features/members/invitation-token.server.ts';

/**
 * Accepts or declines. The database binds it to the confirmed address of this session, once; whatever it refuses is shown by the page
 * itself, which looks at the invitation again.
 */
export async function answerInvitationAction({ request, params, url, context }: ActionFunctionArgs) {
  const { user } = context.get(authContext);
  if (user === null) throw redirect(`${href('/auth')}?next=${encodeURIComponent(url.pathname)}`, { status: 303 });
  const accept = (await request.formData()).get('answer') === 'accept';
  const hash = await invitationHash(context, params.token ?? '');
  if (hash === null) throw redirect(url.pathname, { status: 303 });
  try {
    const answer = { hash, user: user.id, session: user.sessionId, accept, name: user.email.split('@')[0] || user.email };
    const workspaceId = await performAsNobody(answerInvitation, context.get(servicesContext), answer);
    if (!accept || workspaceId === undefined) return redirectWithNotice(href('/dashboard'), 'invitationDeclined', { kind: 'info' });
    return redirectWithNotice(href('/dashboard'), 'invitationAccepted', {
      headers: { 'Set-Cookie': workspaceCookie(workspaceId, context.get(clientContext).secure) },
    });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'forbidden' || error.code === 'unauthenticated')) {
      throw redirect(url.pathname, { status: 303 });
    }
    if (error instanceof AppError) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}
