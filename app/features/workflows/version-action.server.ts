import { href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { loadVersion } from '#app/features/workflows/load-version.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { workflow: string; number: string }; context: Readonly<RouterContextProvider> };

/** Makes a version the draft again; the draft as it was is one undo away. */
export async function restoreVersionAction({ request, params, context }: Args): Promise<never> {
  const revision = Number((await request.formData()).get('revision'));
  const number = Number(params.number);
  if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(number)) throw new AppError('invalid_input');
  const { document } = await context.get(memberContext).read((db) => loadVersion(db, params.workflow, number, null));
  await performAsMember(context, editWorkflow, { workflow: params.workflow, revision, document, how: { version: number } });
  throw redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: params.workflow }), 'versionIsDraft');
}
