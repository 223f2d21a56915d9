import type { Json } from '#app/contracts/json.ts';
import { isExpression } from '#app/domain/workflows/mappings/expression-text.ts';
import type { WorkflowIssue, WorkflowIssueKey } from '#app/domain/workflows/workflow-issue.ts';

type Report = (field: string, key: WorkflowIssueKey, values?: WorkflowIssue['values']) => void;

/** Checks a mapping against the JSON Schema of a tool's input: names, required fields, and the type of each literal. */
export function checkMappings(input: Record<string, string>, schema: Json | null, report: Report): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (typeof name === 'string' && (input[name] ?? '').trim() === '') report(`input.${name}`, 'missingMapping', { name });
  }
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (schema.additionalProperties === false) report(`input.${name}`, 'unknownMapping', { name });
      continue;
    }
    if (isExpression(value) || value === '' || !isObject(property)) continue;
    if (Array.isArray(property.enum) && !property.enum.map(String).includes(value))
      report(`input.${name}`, 'notAllowed', { name, allowed: property.enum.map(String).join(', ').slice(0, 200) });
    else if (!literalFits(value, property.type)) report(`input.${name}`, 'wrongType', { name, type: String(property.type) });
  }
}

function literalFits(value: string, type: Json | undefined): boolean {
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value));
  if (type === 'integer') return /^-?\d+$/.test(value.trim());
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (type === 'array' || type === 'object') {
    try {
      const parsed: unknown = JSON.parse(value);
      return type === 'array' ? Array.isArray(parsed) : parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed);
    } catch {
      return false;
    }
  }
  return true;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value);
}
