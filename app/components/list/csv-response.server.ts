/** Rows in one file: the first that the filters leave, in the list's order. */
export const MOST_EXPORTED = 5_000;
/** A list as a file takes it, which has no place for counts. */
export const FILE = { size: MOST_EXPORTED, counted: false };

/** A table that leaves as a file. `name`: of the list, for machines. */
export function csvResponse(name: string, text: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="quorate-${name}.csv"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
