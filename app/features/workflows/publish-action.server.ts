import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { NotPublishable, publishWorkflow } from '#app/engine/commands/workflows/publish-workflow.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Publishes the draft that was seen, or names every place in it that is wrong. */
export async function publishAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { workflow: string };
  context: Readonly<RouterContextProvider>;
}) {
  const revision = Number((await request.formData()).get('revision'));
  try {
    await performAsMember(context, publishWorkflow, { workflow: params.workflow, revision });
  } catch (error) {
    if (error instanceof NotPublishable) return data({ issues: error.issues }, 400);
    if (error instanceof AppError && error.code === 'conflict')
      throw redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: params.workflow }), 'draftChangedMeanwhile');
    throw error;
  }
  throw redirectWithNotice(href('/dashboard/workflows/:workflow', { workflow: params.workflow }), 'workflowPublished');
}
