import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { workspaceCookie } from '#app/components/look/workspace-cookie.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { clientContext, memberContext, membershipsContext, servicesContext } from '#app/contracts/request-context.ts';
import { mayFound } from '#app/domain/people/registration.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { createWorkspace } from '#app/engine/commands/workspaces/create-workspace.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { withFreeSlug } from '#app/engine/workspaces/with-free-slug.ts';
import { newWorkspaceSchema } from '#app/features/account/account-schemas.ts';

/** How many workspaces one person may found within an hour. */
const FOUNDED = { name: 'workspacesFounded', max: 5, windowSeconds: 3_600 } as const;

/** Founds a workspace by the path of sign-up, with the person as its admin and builder, and goes to work there. */
export async function createWorkspaceAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, newWorkspaceSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member } = context.get(memberContext);
  const services = context.get(servicesContext);
  if (!mayFound(services.founders, context.get(membershipsContext)))
    return invalidForm(parsed.reply, { formErrors: ['workspacesClosed'] }, 403);
  const wait = await services.access.asNobody((db) => takeLimit(db, FOUNDED, member.userId));
  if (wait > 0) return invalidForm(parsed.reply, { formErrors: ['tooManyWorkspacesNow'] }, 429);
  const founded = {
    id: services.newId(),
    name: parsed.value.name,
    user: member.userId,
    session: member.sessionId,
    userName: member.name,
  };
  try {
    await withFreeSlug(founded.name, (slug) => performAsNobody(createWorkspace, services, { ...founded, slug }));
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard'), 'workspaceCreated', {
    headers: { 'Set-Cookie': workspaceCookie(founded.id, context.get(clientContext).secure) },
  });
}
