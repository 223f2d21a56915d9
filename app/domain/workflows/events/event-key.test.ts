import { expect, test } from 'vitest';
import { eventKey, takesEventAt } from '#app/domain/workflows/events/event-key.ts';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

const paid = { id: 'paid', name: 'Paid', kind: 'wait', mode: 'event' };
const rest = { id: 'rest', name: 'Rest', kind: 'wait' };
const loop = (id: string, steps: object[]) => ({ id, name: id, kind: 'for_each', items: '=[1]', branches: [{ label: 'each', steps }] });
const fork = { id: 'fork', name: 'Fork', kind: 'branch', branches: [{ label: 'yes', when: '=true', steps: [{ ...paid, id: 'deep' }] }] };
const { steps } = workflowDocumentSchema.parse({
  ...EMPTY_WORKFLOW,
  steps: [{ ...paid, id: 'plain' }, rest, loop('lines', [paid, fork, loop('parts', [{ ...paid, id: 'inner' }])])],
});

test('a step outside loops is named by its id, one inside by its path with the numbers of the items', () => {
  expect(eventKey('plain', 'plain')).toBe('plain');
  expect(eventKey('deep', 'fork/yes/deep')).toBe('deep');
  expect(eventKey('inner', 'lines/3/parts/0/inner')).toBe('lines~3~parts~0~inner');
});

test('an event is taken for each item, and for nothing that takes none', () => {
  for (const key of ['plain', 'lines~0~paid', 'lines~12~fork~yes~deep', 'lines~3~parts~0~inner'])
    expect(takesEventAt(steps, key)).toBe(true);
  for (const key of [
    'rest',
    'paid',
    'lines~paid',
    'lines~x~paid',
    'lines~0~rest',
    'lines~0~inner',
    'lines~3~parts~inner',
    'lines~123456~paid',
    '',
  ])
    expect(takesEventAt(steps, key)).toBe(false);
});
