import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Family, writeExposition } from '#app/domain/metrics/exposition.ts';
import { Histogram } from '#app/domain/metrics/histogram.ts';
import { addCounts, describeRunCounts, NO_RUNS } from '#app/domain/metrics/run-counts.ts';

test('figures are written as Prometheus reads them, and families without any are left out', () => {
  const families: Family[] = [
    { name: 'a_total', help: 'First\nof \\ all', type: 'counter', samples: [{ value: 3, labels: { by: 'a "b"\n\\c' } }, { value: 0.5 }] },
    { name: 'empty', help: '', type: 'gauge', samples: [] },
  ];
  expect(writeExposition(families)).toBe(
    '# HELP a_total First\\nof \\\\ all\n# TYPE a_total counter\na_total{by="a \\"b\\"\\n\\\\c"} 3\na_total 0.5\n',
  );
});

/** Read back by the rules of the format alone. */
function readLines(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(/([a-z_]+)="((?:\\.|[^"\\])*)"/g)].map(([, key, read]) => [key, read])),
        value,
      };
    });
}

test('a histogram tells how many values lie at or under each bound, and loses none', () => {
  const values = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(values, (observed) => {
      const histogram = new Histogram('kind', [0.1, 1, 10]);
      for (const value of observed) histogram.observe('page', value);
      const lines = readLines(writeExposition([{ name: 'h', help: 'h', type: 'histogram', samples: histogram.samples() }]));
      for (const { name, labels, value } of lines) {
        if (name === 'h_bucket')
          expect(Number(value)).toBe(observed.filter((one) => one <= Number(labels.le?.replace('+Inf', 'Infinity'))).length);
        if (name === 'h_count') expect(Number(value)).toBe(observed.length);
        if (name === 'h_sum')
          expect(Number(value)).toBeCloseTo(
            observed.reduce((sum, one) => sum + one, 0),
            6,
          );
      }
      expect(lines.map(({ name }) => name)).toEqual(['h_bucket', 'h_bucket', 'h_bucket', 'h_bucket', 'h_sum', 'h_count']);
    }),
  );
});

test('the counts of threads that followed one another are added up', () => {
  const sum = addCounts({ ...NO_RUNS, started: 2, costMicros: 1_500_000 }, { ...NO_RUNS, started: 3, failed: 1 });
  expect(sum).toEqual({ ...NO_RUNS, started: 5, failed: 1, costMicros: 1_500_000 });
  const text = writeExposition(describeRunCounts(sum));
  for (const line of ['quorate_runs_started_total 5', 'quorate_runs_ended_total{status="failed"} 1', 'quorate_model_cost_usd_total 1.5'])
    expect(text).toContain(`${line}\n`);
});
