import { partsOf } from '#app/domain/documents/document-template.ts';
import { SUBJECT_MAX_EXPRESSIONS } from '#app/domain/workflows/limits.ts';
import type { WorkflowIssue, WorkflowIssueKey } from '#app/domain/workflows/workflow-issue.ts';

/** Checks a line of text with expressions in double braces. `expression` checks each of them. */
export function checkTemplate(
  template: string,
  report: (key: WorkflowIssueKey, values?: WorkflowIssue['values']) => void,
  expression: (text: string) => void,
): void {
  const parts = partsOf(template);
  const expressions = parts?.flatMap((part) => ('expression' in part ? [part.expression] : [])) ?? [];
  if (parts === null) report('openPlaceholder');
  else if (expressions.length > SUBJECT_MAX_EXPRESSIONS) report('tooManyPlaceholders', { max: SUBJECT_MAX_EXPRESSIONS });
  else for (const text of expressions) expression(text);
}
