import type { RouterContextProvider } from 'react-router';
import { stepNote } from '#app/components/drawing/step-presentation.ts';
import { templateWords, titleBranches, translateTemplate } from '#app/components/drawing/template-words.ts';
import { flowOf } from '#app/domain/workflows/flow-layout.ts';
import { WORKFLOW_TEMPLATES, type WorkflowTemplateId } from '#app/domain/workflows/workflow-templates.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** Templates of the product as their pictures need them, in the reader's language: so no page brings the texts of all templates. */
export function loadTemplateFlows(context: Readonly<RouterContextProvider>, ids: readonly WorkflowTemplateId[]) {
  const t = getTranslator(context, 'workflows');
  const flow = getTranslator(context, 'flow');
  const words = templateWords(t);
  return WORKFLOW_TEMPLATES.filter(({ id }) => ids.includes(id)).map(({ id, document }) => ({
    id,
    ...words[id],
    steps: flowOf(titleBranches(translateTemplate(document, t).steps, t), (step) => stepNote(step, flow)),
  }));
}
export type TemplateFlow = ReturnType<typeof loadTemplateFlows>[number];
