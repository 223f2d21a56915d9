import { data, href, type RouterContextProvider } from 'react-router';
import { askSchema } from '#app/components/form/ask/ask-schema.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { NotPublishable, publishWorkflow } from '#app/engine/commands/workflows/publish-workflow.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

/** Publishes the draft that was seen, asks another person to agree to that, or names every place in it that is wrong. */
export async function publishAction({ request, params: { workflow }, context }: Args) {
  const parsed = await parseForm(request, askSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { revision = -1, reason } = parsed.value;
  try {
    const outcome = await performAsMember(context, publishWorkflow, { workflow, revision, reason });
    if (outcome.state === 'requested')
      return redirectWithNotice(href('/dashboard/changes/:change', { change: outcome.asked }), 'changeRequested', { kind: 'info' });
  } catch (error) {
    if (error instanceof NotPublishable) return data({ issues: error.issues }, 400);
    if (error instanceof Refusal) return refusedForm(parsed.reply, error);
    if (error instanceof AppError && error.code === 'conflict')
      return redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow }), 'draftChangedMeanwhile');
    throw error;
  }
  return redirectWithNotice(href('/dashboard/workflows/:workflow', { workflow }), 'workflowPublished');
}
