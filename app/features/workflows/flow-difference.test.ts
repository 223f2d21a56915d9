import { expect, test } from 'vitest';
import type { FlowStep } from '#app/domain/workflows/flow-layout.ts';
import { flowWithRemoved } from '#app/features/workflows/flow-difference.ts';

const step = (id: string): FlowStep => ({ id, name: id, kind: 'transform' });
const branch = (id: string, lanes: Record<string, FlowStep[]>): FlowStep => ({
  id,
  name: id,
  kind: 'branch',
  branches: Object.entries(lanes).map(([label, steps]) => ({ label, when: '', steps })),
});
const shape = (steps: readonly FlowStep[]): unknown[] =>
  steps.map(({ id, branches }) => (branches === undefined ? id : { [id]: branches.map(({ label, steps }) => [label, ...shape(steps)]) }));

test('puts what was removed behind the step that it followed', () => {
  const flow = flowWithRemoved(
    ['x', 'a', 'y', 'z', 'b'].map((id) => step(id)),
    ['a', 'new', 'b'].map((id) => step(id)),
  );
  expect(shape(flow)).toEqual(['x', 'a', 'y', 'z', 'new', 'b']);
});

test('shows what both have as the later one does', () => {
  const renamed = { ...step('a'), name: 'New' };
  expect(flowWithRemoved([step('a')], [renamed])).toEqual([renamed]);
});

test('keeps each step in its branch, and a removed branch last', () => {
  const before = branch('way', { left: [step('a'), step('b')], gone: [step('c')], hollow: [] });
  const after = branch('way', { left: [step('b')], added: [step('d')] });
  expect(shape(flowWithRemoved([before], [after]))).toEqual([
    {
      way: [
        ['left', 'a', 'b'],
        ['added', 'd'],
        ['gone', 'c'],
      ],
    },
  ]);
});

test('leaves out what was inside a step that holds none now, and twice the same changes nothing', () => {
  const before = [branch('way', { left: [step('a')] })];
  expect(flowWithRemoved(before, [step('way')])).toEqual([step('way')]);
  expect(flowWithRemoved(before, before)).toEqual(before);
});
