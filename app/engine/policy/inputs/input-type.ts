import type { Json } from '#app/contracts/json.ts';

/** The part of a tool's input schema that a Cedar rule can speak of. */
export type InputType =
  | { kind: 'text' | 'whole' | 'decimal' | 'truth' }
  | { kind: 'list'; of: { kind: 'text' | 'whole' | 'decimal' | 'truth' } }
  | { kind: 'record'; fields: ReadonlyMap<string, InputField> };
export type InputField = { type: InputType; required: boolean };

/** `leftOut`: JSON pointers of the fields that no rule can speak of. */
export type ToolInput = { type: InputType & { kind: 'record' }; leftOut: readonly string[] };

const MAX_DEPTH = 4;
const MAX_FIELDS = 100;

type Schema = { readonly [key: string]: Json };

/**
 * The part of a JSON Schema that Cedar can say: records, texts, whole numbers, decimals, truth values, and lists of these. Everything else
 * (alternatives, references, patterns, lists of records, more than MAX_FIELDS fields or MAX_DEPTH levels) is left out by name. Bounds of
 * values are not said: a rule compares whatever arrives.
 */
export function readToolInput(schema: Json | null): ToolInput {
  const leftOut: string[] = [];
  let count = 0;
  function recordOf(given: Schema, path: string, depth: number): InputType & { kind: 'record' } {
    const fields = new Map<string, InputField>();
    const required = Array.isArray(given.required) ? given.required : [];
    for (const [name, value] of Object.entries(isSchema(given.properties) ? given.properties : {})) {
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const read = count < MAX_FIELDS && isSchema(value) ? typeOf(value, at, depth + 1) : null;
      if (read === null) {
        leftOut.push(at);
        continue;
      }
      count += 1;
      fields.set(name, { type: read.type, required: required.includes(name) && !read.nullable });
    }
    return { kind: 'record', fields };
  }
  function typeOf(given: Schema, at: string, depth: number): { type: InputType; nullable: boolean } | null {
    const names = typesOf(given);
    const [name, ...others] = names.filter((one) => one !== 'null');
    if (name === undefined || others.length > 0 || SAID_OTHERWISE.some((key) => key in given)) return null;
    const nullable = names.includes('null');
    const scalar = SCALARS[name];
    if (scalar !== undefined) return { type: { kind: scalar }, nullable };
    if (name === 'object') return depth >= MAX_DEPTH ? null : { type: recordOf(given, at, depth), nullable };
    const items = isSchema(given.items) ? typesOf(given.items) : [];
    const of = items.length === 1 ? SCALARS[items[0] ?? ''] : undefined;
    return name === 'array' && of !== undefined ? { type: { kind: 'list', of: { kind: of } }, nullable } : null;
  }
  return { type: recordOf(isSchema(schema) ? schema : {}, '', 0), leftOut };
}

const SCALARS: Readonly<Record<string, 'text' | 'whole' | 'decimal' | 'truth'>> = {
  string: 'text',
  integer: 'whole',
  number: 'decimal',
  boolean: 'truth',
};
/** Keywords by which the type is more than its name. */
const SAID_OTHERWISE = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** The type names of a schema; of a list of texts without a type, as `enum` often is, text. */
function typesOf({ type, enum: values }: Schema): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === 'string');
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string') ? ['string'] : [];
}

function isSchema(value: Json | null | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
