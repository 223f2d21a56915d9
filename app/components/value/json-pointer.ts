import type { Json } from '#app/contracts/json.ts';

/** The parts of a JSON Pointer (RFC 6901): '/rows/0' is ['rows', '0'], '' is the whole value. */
export function pointerParts(pointer: string): string[] {
  if (pointer === '') return [];
  const parts = (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer to a property or an item of what another points to. */
export function pointerBelow(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value that a pointer leads to; undefined where there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const part of pointerParts(pointer)) {
    if (at === null || typeof at !== 'object') return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9][0-9]*)$/.test(part) ? at[Number(part)] : undefined;
    else at = Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}
