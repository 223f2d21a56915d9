import type { Json } from '#app/contracts/json.ts';

/** Half of a surrogate pair standing alone: no UTF-8 exists for it, so nothing could be hashed twice to the same bytes. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * JSON in the one form that RFC 8785 (JCS) allows: no white space, members sorted by UTF-16 code units, numbers as
 * ECMAScript writes them. What is hashed or signed is the UTF-8 of this text.
 * Throws a TypeError on what has no JSON: NaN, infinities, `undefined`, functions, lone surrogates, cycles.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** Deeper than any document of ours; a cycle ends here with an error instead of a stack overflow. */
const MAX_DEPTH = 500;

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError('canonical JSON: nested too deeply, or a cycle');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON: NaN and infinities have no JSON');
    return JSON.stringify(value);
  }
  if (typeof value === 'string') return writeString(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && isPlain(value)) {
    // The default sort compares UTF-16 code units, which is what section 3.2.3 asks for.
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${writeString(name)}:${write(member, depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`canonical JSON: a ${typeof value} has no JSON`);
}

function writeString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('canonical JSON: a lone surrogate has no UTF-8');
  return JSON.stringify(text);
}

/** A Date, Map or Uint8Array would silently become something else. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
