import { href, type RouterContextProvider, redirect } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { activateWorkflow } from '#app/engine/commands/workflows/activate-workflow.ts';
import { deleteWorkflow } from '#app/engine/commands/workflows/delete-workflow.ts';
import { duplicateWorkflow } from '#app/engine/commands/workflows/duplicate-workflow.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

/** Pause, resume, duplicate: the buttons of a workflow's page. */
export async function workflowCommandAction(args: Args) {
  const form = await args.request.formData();
  const intent = form.get('intent');
  if (intent === 'pause' || intent === 'resume') return await setActive(args, intent === 'resume');
  if (intent === 'duplicate') return await duplicate(args);
  throw new AppError('invalid_input');
}

async function setActive({ params, context }: Args, active: boolean): Promise<never> {
  await performAsMember(context, activateWorkflow, { workflow: params.workflow, active });
  throw redirectWithNotice(
    href('/dashboard/workflows/:workflow', { workflow: params.workflow }),
    active ? 'workflowResumed' : 'workflowPaused',
  );
}

async function duplicate({ params, context }: Args): Promise<never> {
  try {
    const { id } = await performAsMember(context, duplicateWorkflow, { workflow: params.workflow });
    throw redirect(href('/dashboard/workflows/:workflow/edit', { workflow: id }), 303);
  } catch (error) {
    if (error instanceof AppError && error.code === 'quota_exceeded')
      throw redirectWithNotice(href('/dashboard/workflows/:workflow', { workflow: params.workflow }), 'workflowsFull', {
        kind: 'attention',
      });
    throw error;
  }
}

/** The button that deletes a workflow. */
export async function deleteWorkflowAction({ params, context }: Args): Promise<never> {
  await performAsMember(context, deleteWorkflow, { workflow: params.workflow });
  throw redirectWithNotice(href('/dashboard/workflows'), 'workflowDeleted');
}
