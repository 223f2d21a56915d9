import { expect } from 'vitest';

type Page<Row> = { rows: Row[]; next: string | null };

/** All rows of a list as one meets them from page to page: each once, whatever its order, its filters and the size of its pages. */
export async function walkList<Row>(load: (params: URLSearchParams) => Promise<Page<Row>>, query: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  for (let page = 0; page < 200; page += 1) {
    const found: Page<Row> = await load(new URLSearchParams({ ...query, ...(after === null ? {} : { after }) }));
    rows.push(...found.rows);
    after = found.next;
    if (after === null) return rows;
  }
  return expect.fail('the list does not end');
}

/** Whether each value is at least as large as the one before it. */
export const isRising = (values: readonly (string | number)[]) => values.every((value, n) => n === 0 || (values[n - 1] ?? value) <= value);
