import type { Json } from '#app/contracts/json.ts';
import { showHidden } from '#app/domain/connections/hidden-text.ts';

/** A value as a JSON file for its reader alone. Invisible characters are written as escapes, which mean the same. */
export function jsonFile(value: Json, name: string): Response {
  return new Response(`${showHidden(JSON.stringify(value, null, 2))}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.json"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
