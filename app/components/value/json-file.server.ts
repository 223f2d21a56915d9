import { showHidden } from '#app/domain/connections/hidden-text.ts';
import type { Json } from '#app/domain/tables.ts';

/** A value as a file of JSON for its reader alone. What cannot be seen stands in it as its escape, which means the same. */
export function jsonFile(value: Json, name: string): Response {
  return new Response(`${showHidden(JSON.stringify(value, null, 2))}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.json"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
