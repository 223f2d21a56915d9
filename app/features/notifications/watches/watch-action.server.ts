import { type ActionFunctionArgs, href } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { stopWatching } from '#app/engine/commands/personal/stop-watching.ts';
import { watch } from '#app/engine/commands/personal/watch.ts';
import { performForSelf } from '#app/perform.server.ts';

const watchSchema = z.object({
  kind: z.enum(['workflow', 'run']),
  id: z.uuid(),
  watch: z.enum(['on', 'off']),
  back: z.string().max(300).optional(),
});

/** Watches a workflow or a run, or no longer. A personal matter: it is not an event of the log. @throws AppError invalid_input, not_found */
export async function watchAction({ request, context }: ActionFunctionArgs) {
  const parsed = watchSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) throw new AppError('invalid_input');
  const { kind, id, back } = parsed.data;
  const to = localPath(back ?? null, href('/dashboard/notifications/preferences'));
  const on = parsed.data.watch === 'on';
  try {
    await performForSelf(context, on ? watch : stopWatching, { workspace: context.get(memberContext).member.workspace.id, kind, id });
  } catch (error) {
    if (error instanceof Refusal) return redirectWithNotice(to, 'watchesFull', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(to, on ? 'watched' : 'watchStopped');
}
