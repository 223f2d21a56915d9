import { expect, test } from 'vitest';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { nameTools } from '#app/engine/serving/tool-names.ts';

const workflow = (name: string, end: string) => ({ id: `01a1f95d-26c9-7048-a244-${end.padStart(12, '0')}`, name }) as ServedWorkflow;

test('each workflow has a name of its own in the characters that clients take, whatever it is called', () => {
  const names = [
    ...nameTools(
      [
        workflow('Prüfe Zahlung!', '1'),
        workflow('مراجعة', '2'),
        workflow('Same', '3'),
        workflow('same', '4'),
        workflow('get run', '5'),
        workflow('x'.repeat(120), '6'),
      ],
      ['get_run'],
    ).keys(),
  ];
  expect(names.slice(0, 5)).toEqual([
    'prufe_zahlung',
    'workflow_000000000002',
    'same_000000000003',
    'same_000000000004',
    'get_run_000000000005',
  ]);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_./-]{1,64}$/);
});
