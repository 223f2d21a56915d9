import { expect, test } from 'vitest';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { diffWorkflows } from '#app/domain/workflows/workflow-diff.ts';

const documentOf = (steps: unknown[], more: object = {}) => workflowDocumentSchema.parse({ format: 'quorate.workflow/1', steps, ...more });
const transform = (id: string, expression = '1') => ({ id, name: id.toUpperCase(), kind: 'transform', expression });

test('the same document has no difference', () => {
  const document = documentOf([transform('a'), transform('b')]);
  expect(diffWorkflows(document, document)).toEqual([]);
});

test('what was added, changed, moved and removed is told apart, by place', () => {
  const before = documentOf([transform('a'), transform('b'), transform('c')], { output: '=1' });
  const after = documentOf([transform('new'), transform('c'), transform('b', '2')], {
    output: '=2',
    input: [{ name: 'text', title: 'Text', type: 'text' }],
  });
  expect(diffWorkflows(before, after)).toEqual([
    { place: 'settings', path: '', name: '', change: 'changed', fields: [{ field: 'output', before: '=1', after: '=2' }] },
    { place: 'input', path: 'text', name: 'Text', change: 'added', fields: [] },
    { place: 'step', path: 'new', name: 'NEW', change: 'added', fields: [] },
    { place: 'step', path: 'c', name: 'C', change: 'moved', fields: [] },
    { place: 'step', path: 'b', name: 'B', change: 'changed', fields: [{ field: 'expression', before: '1', after: '2' }] },
    { place: 'step', path: 'a', name: 'A', change: 'removed', fields: [] },
  ]);
});

test('a step in a branch is a place of its own: the branch around it has not changed', () => {
  const branch = (expression: string) => ({
    id: 'way',
    name: 'Way',
    kind: 'branch',
    branches: [{ label: 'left', steps: [transform('a', expression)] }],
  });
  expect(diffWorkflows(documentOf([branch('1')]), documentOf([branch('2')])).map((change) => change.path)).toEqual(['way/left/a']);
});
