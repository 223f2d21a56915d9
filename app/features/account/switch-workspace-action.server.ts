import { type ActionFunctionArgs, data, href } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { workspaceCookie } from '#app/components/look/workspace-cookie.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { clientContext, membershipsContext } from '#app/contracts/request-context.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { switchWorkspaceSchema } from '#app/features/account/account-schemas.ts';

/** Switches to another of one's workspaces. */
export async function switchWorkspace({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, switchWorkspaceSchema);
  const target = parsed.ok ? context.get(membershipsContext).find(({ workspace }) => workspace.id === parsed.value.workspaceId) : undefined;
  if (target === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const next = parsed.ok ? localPath(parsed.value.next, href('/dashboard')) : href('/dashboard');
  return redirectWithNotice(next, 'workspaceChanged', {
    headers: { 'Set-Cookie': workspaceCookie(target.workspace.id, context.get(clientContext).secure) },
  });
}
