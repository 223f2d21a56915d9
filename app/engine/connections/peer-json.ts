import type { Json } from '#app/contracts/json.ts';

/** Nesting that a peer's answer may have: PostgreSQL, canonical JSON and recursion all end somewhere beyond it. */
const MAX_DEPTH = 100;

/** Thrown when an answer has no JSON that could be stored. */
export class UnstorableJsonError extends Error {}

/**
 * A peer's value as JSON that PostgreSQL and canonical JSON both take: no NUL, no lone surrogates, nothing but plain JSON.
 * @throws UnstorableJsonError when nested too deeply
 */
export function storableJson(value: unknown, depth = 0): Json {
  if (depth > MAX_DEPTH) throw new UnstorableJsonError('nested too deeply');
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined && typeof member !== 'function')
        .map(([name, member]) => [storableText(name), storableJson(member, depth + 1)]),
    );
  }
  return null;
}

function storableText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '\uFFFD') : wellFormed;
}

export function isJsonObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
