import { type RouterContextProvider, redirect } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { withoutTurns } from '#app/domain/turned-text.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflow.ts';
import { findTemplate } from '#app/domain/workflow-templates.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';
import { createArtifact } from '#app/engine/workflows/drafts.ts';
import { createWorkflowSchema } from '#app/features/workflows/create-workflow-schema.ts';
import { translateSamples, translateTemplate } from '#app/features/workflows/template-words.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Makes a workflow, empty or from a template, and goes to its editor. */
export async function createWorkflowAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const parsed = await parseForm(request, createWorkflowSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const template = parsed.value.template === '' ? null : findTemplate(parsed.value.template);
  if (parsed.value.template !== '' && template === null) return invalidForm(parsed.reply, { fieldErrors: { template: ['invalid'] } });
  const access = context.get(memberContext);
  const { newId, now } = context.get(servicesContext);
  const id = newId();
  try {
    await access.change(async (db) => {
      await requireRoom(db, access.member.workspace.id, 'workflows', now());
      await createArtifact(db, {
        kind: 'workflow',
        id,
        workspaceId: access.member.workspace.id,
        ownerId: access.member.userId,
        name: parsed.value.name,
        description: parsed.value.description,
        document: template === null ? EMPTY_WORKFLOW : inOwnWords(context, template.document),
      });
      return {
        result: null,
        event: {
          action: 'workflow.created',
          resource: { kind: 'workflow', id, name: parsed.value.name },
          payload: { template: template?.id ?? null },
        },
      };
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error;
    return invalidForm(parsed.reply, { formErrors: [message('workflowsFull', { limit: Number(error.values.limit) })] }, 402);
  }
  throw redirect(`/dashboard/workflows/${id}/edit`, 303);
}

/** A template becomes the workflow of who takes it, and is written in their language from then on. */
function inOwnWords(context: Readonly<RouterContextProvider>, document: WorkflowDocument): WorkflowDocument {
  const texts = shippedTexts(getLanguage(context));
  const samples = translateSamples(document, (text) => withoutTurns(texts.get(text) ?? text));
  return translateTemplate(samples, getTranslator(context, 'workflows'));
}
