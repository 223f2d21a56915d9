import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { cutRun } from '#app/features/runs/cut-run.ts';
import type { RunDetail } from '#app/features/runs/load-run.server.ts';

const runWith = (output: Json): RunDetail =>
  ({ id: 'run', input: { amount: 1 }, output, steps: [{ path: 'a', input: null, output }] }) as unknown as RunDetail;

test('a small value stays as it is', () => {
  const shown = cutRun(runWith({ total: 3 }));
  expect(shown.output).toEqual({ whole: { total: 3 } });
  expect(shown.steps[0]).toMatchObject({ input: null, output: { whole: { total: 3 } } });
});

test('a large one is shown by its beginning, and a page of it stays small', () => {
  const rows = Array.from({ length: 9_000 }, (_, at) => ({ at, text: `Zeile ${at} – größer`.padEnd(60, '.') }));
  const size = new TextEncoder().encode(JSON.stringify(rows, null, 2)).length;
  const shown = cutRun(runWith(rows));
  expect(size).toBeGreaterThan(900_000);
  expect(shown.output).toEqual({ start: JSON.stringify(rows, null, 2).slice(0, 4_000), bytes: size, hides: false });
  expect(JSON.stringify(shown).length * 2).toBeLessThan(60_000);
});
