import { href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { columnSettings } from '#app/domain/people/member-settings.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { keepMemberSettings } from '#app/engine/commands/personal/keep-member-settings.ts';
import { performForSelf } from '#app/perform.server.ts';

const name = z.string().regex(/^\w{1,40}$/);
/** `column`: those that can be put away; `shown`: those that are ticked. */
const columnsSchema = z.object({
  list: name,
  column: z.array(name).max(50).default([]),
  shown: z.array(name).max(50).default([]),
  next: z.string().max(2_000),
});

/** Keeps which columns of a list the member sees in this workspace, and leads back to the list. */
export async function keepColumns({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const parsed = await parseForm(request, columnsSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { list, column, shown, next } = parsed.value;
  const workspace = context.get(memberContext).member.workspace.id;
  const hidden = column.filter((key) => !shown.includes(key));
  await performForSelf(context, keepMemberSettings, { workspace, settings: columnSettings(list, hidden) });
  return redirectWithNotice(localPath(next, href('/dashboard')), 'columnsKept');
}
