import type { Json } from '#app/contracts/json.ts';

/** The change that a rule makes to one field of an input before the call: hides a text but for its end, replaces it, or keeps a number to a limit. */
export type FieldChange = { how: 'mask' | 'redact'; path: string[] } | { how: 'cap'; path: string[]; limit: number };

const REDACTED = '[redacted]';
/** Characters that a mask leaves at the end of a text of twice as many or more. */
const SHOWN = 4;

type Fields = { [key: string]: Json };

/** The input with all changes made; a field that is not there, or is of another type, stays as it is. Made again, nothing changes any more. */
export function applyChanges(input: Fields, changes: readonly FieldChange[]): Fields {
  return changes.reduce<Fields>((given, change) => changeAt(given, change.path, change), input);
}

function changeAt(given: Fields, [name, ...rest]: readonly string[], change: FieldChange): Fields {
  if (name === undefined || !Object.hasOwn(given, name)) return given;
  const value = given[name] ?? null;
  if (rest.length === 0) return { ...given, [name]: changed(value, change) };
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...given, [name]: changeAt(value, rest, change) } : given;
}

function changed(value: Json, change: FieldChange): Json {
  if (change.how === 'cap') return typeof value === 'number' && value > change.limit ? change.limit : value;
  if (typeof value !== 'string') return value;
  if (change.how === 'redact') return REDACTED;
  const letters = [...value];
  const shown = Math.min(SHOWN, Math.floor(letters.length / 2));
  return '•'.repeat(letters.length - shown) + letters.slice(letters.length - shown).join('');
}

/** The change that an annotation describes; null: a name holds what stands between names. */
export function changeText(change: FieldChange): string | null {
  if (change.path.some((name) => name === '' || /[\s.]/.test(name))) return null;
  return change.how === 'cap' ? `${change.path.join('.')} ${change.limit}` : change.path.join('.');
}

/** The change that an annotation names: the path as names between points, of a cap followed by its limit. Null: it names none. */
export function readChange(how: FieldChange['how'], text: string): FieldChange | null {
  const [named = '', limit, ...more] = text.trim().split(/\s+/);
  const path = named.split('.');
  if (path.includes('') || more.length > 0 || (limit !== undefined) !== (how === 'cap')) return null;
  if (how !== 'cap') return { how, path };
  return /^-?\d{1,15}(?:\.\d{1,4})?$/.test(limit ?? '') ? { how, path, limit: Number(limit) } : null;
}
