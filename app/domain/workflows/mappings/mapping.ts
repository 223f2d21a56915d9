import type { Json } from '#app/contracts/json.ts';

/**
 * Reads a literal as the type that the target's schema wants. What does not fit stays text, so that the peer's own check says
 * what is wrong with it. Arrays and objects are written as JSON.
 */
export function literalAs(text: string, schema: Json | undefined): Json {
  const wanted = typesOf(schema);
  if (wanted.has('string') || wanted.size === 0) return text;
  const trimmed = text.trim();
  if ((wanted.has('number') || wanted.has('integer')) && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed);
  if (wanted.has('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  if (wanted.has('null') && (trimmed === '' || trimmed === 'null')) return null;
  if (wanted.has('array') || wanted.has('object')) {
    try {
      return JSON.parse(trimmed) as Json;
    } catch {
      return text;
    }
  }
  return text;
}

/** The schema of one property of an object schema, undefined where it names none. */
export function propertySchema(schema: Json | null | undefined, name: string): Json | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties) || !Object.hasOwn(schema.properties, name)) return undefined;
  return schema.properties[name];
}

function typesOf(schema: Json | undefined): ReadonlySet<string> {
  if (!isRecord(schema)) return new Set();
  const { type } = schema;
  if (typeof type === 'string') return new Set([type]);
  if (Array.isArray(type)) return new Set(type.filter((name) => typeof name === 'string'));
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map((value) => (value === null ? 'null' : typeof value)));
  return new Set();
}

function isRecord(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
