import type { Json } from '#app/domain/tables.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflow.ts';

const STEP_KINDS = { mcp: 'tool', app: 'tool', a2a: 'agent', model: 'model' } as const;

/**
 * A workflow of one call, made once. Each value is written as an expression: JSON is JSONata, and text that begins with `=` stays text.
 */
export function inspectionDocument(
  target: { protocol: keyof typeof STEP_KINDS; connection: string; capability: string },
  input: { [name: string]: Json },
): WorkflowDocument {
  return workflowDocumentSchema.parse({
    format: 'quorate.workflow/1',
    input: [],
    steps: [
      {
        id: 'call',
        name: target.capability.slice(0, 120),
        kind: STEP_KINDS[target.protocol],
        connection: target.connection,
        capability: target.capability,
        input: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, `=${JSON.stringify(value)}`])),
        retries: 0,
      },
    ],
  });
}

/** An object with a place for everything that a schema asks for; what is typed into first. */
export function inputSkeleton(schema: Json | null): string {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return '{}';
  const { properties, required } = schema;
  if (properties === undefined || properties === null || typeof properties !== 'object' || Array.isArray(properties)) return '{}';
  const names =
    Array.isArray(required) && required.length > 0 ? required.filter((name) => typeof name === 'string') : Object.keys(properties);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, emptyOf(properties[name])])), null, 2);
}

function emptyOf(schema: Json | undefined): Json {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return '';
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? '';
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}
