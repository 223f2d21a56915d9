import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benchLineName } from '#app/features/public/evidence/bench-line-name.ts';

const folder = new URL('../../../../tests/bench/results/', import.meta.url);
const results = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { lines: { what: string }[] }).lines);
const asKey = ((key: string, values?: object) => `${key} ${JSON.stringify(values ?? {})}`) as unknown as Parameters<
  typeof benchLineName
>[1];

it('names every line that the bench has written, but the addresses of screens', () => {
  const unnamed = results.map(({ what }) => what.trim()).filter((what) => benchLineName(what, asKey, String) === null);
  expect(unnamed.filter((what) => !what.startsWith('/dashboard'))).toEqual([]);
});

it('hands on the figures that stand in a line, as the reader writes them', () => {
  const german = new Intl.NumberFormat('de').format;
  expect(benchLineName('step start p95 at 10,800 steps a minute, server alone', asKey, german)).toContain('"rate":"10.800"');
  expect(benchLineName('slowest of 900 addresses of the dashboard on 100,000 runs, p95', asKey, german)).toContain('"runs":"100.000"');
  expect(benchLineName('INP on /dashboard/plugins with 50 rows, processor 4 times slower', asKey, german)).toContain(
    '{"page":"/dashboard/plugins","rows":"50","slower":"4"}',
  );
});
