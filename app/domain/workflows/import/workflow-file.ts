import { showHidden } from '#app/domain/connections/hidden-text.ts';
import type { ImportNote } from '#app/domain/workflows/import/import-note.ts';
import { looksLikeN8n, readN8nGraph } from '#app/domain/workflows/import/n8n-graph.ts';
import { convertN8n } from '#app/domain/workflows/import/n8n-workflow.ts';
import { readWorkflowDocument } from '#app/domain/workflows/read-workflow-document.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';

export type WorkflowFile = { name: string; description: string; document: WorkflowDocument };

/**
 * A workflow as a file: its document with name and description, always the same bytes for the same workflow, whatever it has gone through.
 * Fields stand in the order of the schema, mappings in that of their names, a line each; what hides in text is written as an escape.
 */
export function writeWorkflowFile({ name, description, document }: WorkflowFile): string {
  const { format, ...rest } = workflowDocumentSchema.parse(document);
  return `${showHidden(JSON.stringify({ format, name, description, ...rest }, sortMappings, 2))}\n`;
}

const MAPPINGS = new Set(['input', 'show']);

const sortMappings = (key: string, value: unknown): unknown => (MAPPINGS.has(key) && !Array.isArray(value) ? sorted(value) : value);

/** With what is inside: a sample holds amounts of money, groups and lists of them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Reads a file of ours or of n8n. Fields of ours that are not known are left out; `notes`: what of n8n's did not go over as it was. */
export function readWorkflowFile(
  text: string,
): (WorkflowFile & { from: 'quorate' | 'n8n'; notes: ImportNote[] }) | { issues: WorkflowIssue[] } {
  const json = parsed(text);
  if (looksLikeN8n(json)) return readN8n(json);
  // without the white space of a file, which is no part of its size
  const read = readWorkflowDocument(json === null ? text : JSON.stringify(json));
  if ('issues' in read) return read;
  const about = { name: '', description: '', ...(json as { name?: unknown; description?: unknown }) };
  return {
    from: 'quorate',
    name: typeof about.name === 'string' ? about.name.trim().slice(0, 120) : '',
    description: typeof about.description === 'string' ? about.description.trim().slice(0, 2_000) : '',
    document: read.document,
    notes: [],
  };
}

function readN8n(json: unknown): ReturnType<typeof readWorkflowFile> {
  const graph = readN8nGraph(json);
  if (graph === null) return { issues: [{ path: '', field: 'nodes', key: 'notAWorkflow', values: { detail: 'nodes' } }] };
  const { name, document, notes } = convertN8n(graph);
  const read = readWorkflowDocument(JSON.stringify(document));
  return 'issues' in read ? read : { from: 'n8n', name, description: '', document: read.document, notes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
