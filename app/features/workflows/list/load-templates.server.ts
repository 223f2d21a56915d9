import type { RouterContextProvider } from 'react-router';
import { templateWords, titleBranches, translateTemplate } from '#app/components/drawing/template-words.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflows/workflow-templates.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** The templates in the reader's language. As data: a browser would need the schema of all kinds of steps to read their documents. */
export function loadTemplatesScreen(context: Readonly<RouterContextProvider>) {
  const t = getTranslator(context, 'workflows');
  const words = templateWords(t);
  const templates = WORKFLOW_TEMPLATES.map(({ id, document }) => ({
    id,
    ...words[id],
    steps: titleBranches(translateTemplate(document, t).steps, t),
  }));
  return { templates, mayAuthor: can(context.get(memberContext).member.roles, 'authorWorkflow') };
}
export type ShownTemplate = ReturnType<typeof loadTemplatesScreen>['templates'][number];
