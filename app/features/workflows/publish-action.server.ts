import { data, href, type RouterContextProvider } from 'react-router';
import { readReason, refusedAsk, toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { NotPublishable, publishWorkflow } from '#app/engine/commands/workflows/publish-workflow.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

/** Publishes the draft that was seen, asks another person to agree to that, or names every place in it that is wrong. */
export async function publishAction({ request, params: { workflow }, context }: Args) {
  const form = await request.formData();
  const page = href('/dashboard/workflows/:workflow', { workflow });
  try {
    const revision = Number(form.get('revision'));
    const outcome = await performAsMember(context, publishWorkflow, { workflow, revision, reason: readReason(form) });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (error instanceof NotPublishable) return data({ issues: error.issues }, 400);
    if (error instanceof Refusal) return refusedAsk(error, page);
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow }), 'draftChangedMeanwhile');
    throw error;
  }
  return redirectWithNotice(page, 'workflowPublished');
}
