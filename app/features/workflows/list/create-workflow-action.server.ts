import { href, type RouterContextProvider, redirect } from 'react-router';
import { translateSamples, translateTemplate } from '#app/components/drawing/template-words.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { stripBidiControls } from '#app/domain/web/bidi-controls.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { findTemplate } from '#app/domain/workflows/workflow-templates.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { createWorkflowSchema } from '#app/features/workflows/list/create-workflow-schema.ts';
import { performAsMember } from '#app/perform.server.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { shippedTexts } from '#app/platform/i18n/shipped-texts.server.ts';

/** Makes a workflow, empty or from a template, and goes to its editor. */
export async function createWorkflowAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const parsed = await parseForm(request, createWorkflowSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, description } = parsed.value;
  const template = parsed.value.template === '' ? null : findTemplate(parsed.value.template);
  if (parsed.value.template !== '' && template === null) return invalidForm(parsed.reply, { fieldErrors: { template: ['invalid'] } });
  const document = template === null ? EMPTY_WORKFLOW : inOwnWords(context, template.document);
  try {
    const { id } = await performAsMember(context, createWorkflow, { name, description, document, template: template?.id ?? null });
    return redirect(href('/dashboard/workflows/:workflow/edit', { workflow: id }), 303);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}

/** A template becomes the workflow of who takes it, and is written in their language from then on. */
function inOwnWords(context: Readonly<RouterContextProvider>, document: WorkflowDocument): WorkflowDocument {
  const { names, values } = shippedTexts(getLanguage(context));
  const samples = translateSamples(document, (text) => stripBidiControls(names.get(text) ?? values.get(text) ?? text));
  return translateTemplate(samples, getTranslator(context, 'workflows'));
}
