import { WORKFLOW_FORMAT, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** Slugs of the built-in peers' connections, which the templates name. */
export const BUILTIN_TOOLS = 'quorate-tools';
export const BUILTIN_COPILOT = 'compliance-copilot';

export const tool = (capability: string) => ({ kind: 'tool', connection: BUILTIN_TOOLS, capability });
export const agent = (capability: string) => ({ kind: 'agent', connection: BUILTIN_COPILOT, capability });

/** A template's document with its defaults. @throws ZodError for one that is no workflow */
export function templateDocument(parts: unknown): WorkflowDocument {
  return workflowDocumentSchema.parse({ format: WORKFLOW_FORMAT, ...(parts as object) });
}
