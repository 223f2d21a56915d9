import type { Json } from '#app/contracts/json.ts';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { showHidden } from '#app/domain/connections/hidden-text.ts';
import { STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import type { CatalogueItem } from '#app/engine/workflows/load-catalogue.ts';

/**
 * A workflow of one call, made once. Each value is written as an expression: JSON is JSONata, and text that begins with `=` stays text.
 */
export function inspectionDocument(
  target: Pick<CatalogueItem, 'protocol' | 'connection' | 'capability'>,
  input: { [name: string]: Json },
): WorkflowDocument {
  return workflowDocumentSchema.parse({
    format: 'quorate.workflow/1',
    input: [],
    steps: [
      {
        id: 'call',
        name: target.capability.slice(0, 120),
        kind: STEP_KINDS.find((kind) => STEP_RULES[kind].protocols.includes(target.protocol)),
        connection: target.connection,
        capability: target.capability,
        input: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, `=${JSON.stringify(value)}`])),
        retries: 0,
      },
    ],
  });
}

/** Deeper than people nest what they type into a form; a schema that refers to itself has no end. */
const MAX_DEPTH = 8;
const MAX_PATTERN = 200;
/** Texts that formats and common patterns take. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'person@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  'uri-reference': 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};
const CANDIDATES = ['', 'a', 'A', '1', 'a/b', 'abc', 'EUR', 'example', '12345', ...Object.values(FORMATS)];

type Schema = { [key: string]: Json };

/** A sample input that the schema accepts, with a place for everything required; where typing begins. */
export function inputSkeleton(schema: Json | null): string {
  if (!isSchema(schema) || !isSchema(schema.properties)) return '{}';
  const asked = namesOf(schema.required);
  const wanted = asked.length > 0 ? schema : { ...schema, required: Object.keys(schema.properties) };
  // A default of the peer could hide characters that the sender of this input would not see.
  return showHidden(JSON.stringify(sampleOf({ ...wanted, type: 'object' }, schema, 0), null, 2));
}

function sampleOf(schema: Json | undefined, root: Schema, depth: number): Json {
  if (!isSchema(schema) || depth > MAX_DEPTH) return '';
  for (const given of [schema.const, schema.default]) if (given !== undefined) return given;
  for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list[0] !== undefined) return list[0];
  if (typeof schema.$ref === 'string') return sampleOf(resolve(schema.$ref, root), root, depth + 1);
  const choice = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choice)) return sampleOf(choice[0], root, depth + 1);
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    return sampleOf(Object.assign({}, ...allOf.filter(isSchema), rest), root, depth + 1);
  }
  switch (Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type) {
    case 'number':
    case 'integer':
      return numberOf(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Math.min(numberAt(schema, 'minItems') ?? 0, 20) }, () => sampleOf(schema.items, root, depth + 1));
    case 'object':
      return objectOf(schema, root, depth);
    case 'string':
      return textOf(schema);
    default:
      return isSchema(schema.properties) ? objectOf(schema, root, depth) : '';
  }
}

function objectOf(schema: Schema, root: Schema, depth: number): Json {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const asked = new Set(namesOf(schema.required));
  // as its author ordered the properties; a name that is required and not described comes last
  const names = [...Object.keys(properties).filter((name) => asked.delete(name)), ...asked];
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], root, depth + 1)]));
}

function numberOf(schema: Schema): number {
  const step = numberAt(schema, 'multipleOf') ?? (schema.type === 'integer' ? 1 : 0.5);
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const least = numberAt(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
  const most = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
  if (least !== undefined && least > 0) return Math.ceil(least / step) * step;
  return most !== undefined && most < 0 ? Math.floor(most / step) * step : 0;
}

function textOf(schema: Schema): string {
  const least = numberAt(schema, 'minLength') ?? 0;
  const most = numberAt(schema, 'maxLength') ?? Number.POSITIVE_INFINITY;
  if (typeof schema.format === 'string' && FORMATS[schema.format] !== undefined) return FORMATS[schema.format] ?? '';
  if (typeof schema.pattern === 'string' && schema.pattern.length <= MAX_PATTERN) {
    const pattern = readPattern(schema.pattern);
    const fitting = CANDIDATES.find((text) => text.length >= least && text.length <= most && pattern?.test(text) === true);
    if (fitting !== undefined) return fitting;
  }
  return least === 0 ? '' : 'example'.padEnd(least, '.').slice(0, Math.max(least, Math.min(7, most)));
}

function readPattern(text: string): RegExp | null {
  try {
    return new RegExp(text, 'u');
  } catch {
    // A pattern of another dialect of regular expressions: no text is known to fit it.
    return null;
  }
}

/** A reference inside the schema; others are followed nowhere. */
function resolve(reference: string, root: Schema): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const parts = reference.slice(2).split('/');
  return parts.reduce<Json | undefined>(
    (at, part) => (isSchema(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}

function namesOf(required: Json | undefined): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function numberAt(schema: Schema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
