import { isTooDeep } from '#app/domain/web/json-depth.ts';
import { WORKFLOW_MAX_BYTES, WORKFLOW_MAX_DEPTH } from '#app/domain/workflows/limits.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';

/**
 * Reads a document from JSON text of unknown origin. Over the limit it is refused unread.
 * @returns the document, or the issues with the place in the JSON as `path`
 */
export function readWorkflowDocument(text: string): { document: WorkflowDocument } | { issues: WorkflowIssue[] } {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > WORKFLOW_MAX_BYTES)
    return { issues: [{ path: '', field: 'document', key: 'tooLarge', values: { bytes, max: WORKFLOW_MAX_BYTES } }] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return {
      issues: [
        { path: '', field: 'document', key: 'notAWorkflow', values: { detail: error instanceof Error ? error.message.slice(0, 200) : '' } },
      ],
    };
  }
  if (isTooDeep(json)) return { issues: [{ path: '', field: 'document', key: 'tooDeep', values: { max: WORKFLOW_MAX_DEPTH } }] };
  const parsed = workflowDocumentSchema.safeParse(json);
  if (parsed.success) {
    const issues = duplicateIds(parsed.data);
    return issues.length > 0 ? { issues } : { document: parsed.data };
  }
  return {
    issues: parsed.error.issues.slice(0, 20).map((issue) => ({
      path: '',
      field: issue.path.map(String).join('.') || 'document',
      key: 'notAWorkflow' as const,
      values: { detail: issue.path.map(String).join('.') || issue.code },
    })),
  };
}

/** Steps whose id an earlier step has. */
export function duplicateIds(document: WorkflowDocument): WorkflowIssue[] {
  const seen = new Set<string>();
  return [...walkSteps(document.steps)].flatMap(({ step, path }): WorkflowIssue[] => {
    if (seen.has(step.id)) return [{ path, field: 'id', key: 'duplicateId', values: { id: step.id } }];
    seen.add(step.id);
    return [];
  });
}
