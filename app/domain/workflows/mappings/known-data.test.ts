import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { knownAt, memberAt, withSeen } from '#app/domain/workflows/mappings/known-data.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { addStep, newStep, replaceStep, stepAt } from '#app/domain/workflows/workflow-edit.ts';

const namesAt = (document: WorkflowDocument, path: string) =>
  knownAt(document, path, []).flatMap(({ values }) => values.map(({ expression }) => expression));
const INPUT = [{ name: 'amount', title: 'Amount', type: 'number' as const, required: true, help: '', options: [] }];

/** Whether the check lets an expression stand in the transform at `path`. */
function isLet(document: WorkflowDocument, path: string, expression: string): boolean {
  const step = stepAt(document, path);
  if (step?.kind !== 'transform') throw new Error('no transform');
  const probed = replaceStep(document, path, { ...step, expression: `=${expression}` }) ?? document;
  const issues = checkWorkflow(probed, { connections: [], capabilities: [] }, () => null);
  return !issues.some((issue) => issue.path === path && ['unknownInput', 'unknownStep', 'laterStep', 'insideLoop'].includes(issue.key));
}

test('the steps that are offered are those that the check lets through, but for those around the place', () => {
  const adding = fc.array(fc.tuple(fc.constantFrom(...STEP_KINDS), fc.nat()), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(adding, (added) => {
      let document: WorkflowDocument = { ...EMPTY_WORKFLOW, input: INPUT };
      for (const [kind, at] of [...added, ...added.map(([, n]) => ['transform', n + 1] as const)]) {
        const containers = [
          '',
          ...[...walkSteps(document.steps)].flatMap(({ step, path }) =>
            'branches' in step ? step.branches.map(({ label }) => `${path}/${label}`) : [],
          ),
        ];
        document = addStep(document, containers[at % containers.length] ?? '', newStep(document, kind, kind), undefined) ?? document;
      }
      const steps = [...walkSteps(document.steps)];
      for (const { path } of steps.filter(({ step }) => step.kind === 'transform')) {
        const offered = new Set(namesAt(document, path));
        for (const other of steps.filter((one) => one.path !== path)) {
          const name = `steps.${other.step.id}`;
          const expected = isLet(document, path, name) && !path.startsWith(`${other.path}/`);
          expect([path, name, offered.has(name)]).toEqual([path, name, expected]);
        }
        expect(offered.has('input.amount')).toBe(true);
      }
    }),
    { numRuns: process.env.QUORATE_TEST_FULL ? 100 : 25 },
  );
});

test('what is inside a value of the input is known', () => {
  const plain = { title: 'Total', required: true, help: '', options: [] };
  const total = { ...plain, name: 'total', type: 'money' as const };
  const input = [
    total,
    { ...plain, name: 'order', type: 'group' as const, fields: [total] },
    { ...plain, name: 'tags', type: 'list' as const },
  ];
  const document = addStep({ ...EMPTY_WORKFLOW, input }, '', newStep(EMPTY_WORKFLOW, 'transform', 'a')) ?? EMPTY_WORKFLOW;
  expect(namesAt(document, 'transform_1')).toEqual(
    expect.arrayContaining(['input.total', 'input.total.amount', 'input.total.currency', 'input.order.total.amount', 'input.tags']),
  );
});

test('inside a loop its item is known, outside its results; what a tool gives is known by its schema', () => {
  let document: WorkflowDocument = { ...EMPTY_WORKFLOW, input: INPUT };
  for (const [kind, container] of [
    ['tool', ''],
    ['for_each', ''],
    ['transform', 'for_each_1/each'],
    ['try', ''],
    ['transform', 'try_1/on_error'],
  ] as const)
    document = addStep(document, container, newStep(document, kind, kind), undefined) ?? document;
  const tool = stepAt(document, 'tool_1');
  if (tool?.kind !== 'tool') throw new Error('no tool');
  document = replaceStep(document, 'tool_1', { ...tool, connection: 'peer', capability: 'look' }) ?? document;
  const target = {
    connection: 'peer',
    protocol: 'mcp' as const,
    capability: 'look',
    approved: true,
    inputSchema: null,
    outputSchema: { type: 'object', properties: { found: { type: 'boolean', title: 'Found' }, 'a b': {} } },
  };
  const inLoop = knownAt(document, 'for_each_1/each/transform_1', [target]);
  expect(inLoop).toEqual([
    { from: 'around', values: ['item', 'index'].map((name) => ({ expression: name, at: [name], title: '', type: null })) },
    { from: 'input', values: [{ expression: 'input.amount', at: ['input', 'amount'], title: 'Amount', type: 'number' }] },
    {
      from: 'step',
      name: 'tool',
      values: [
        { expression: 'steps.tool_1', at: ['steps', 'tool_1'], title: '', type: null },
        { expression: 'steps.tool_1.found', at: ['steps', 'tool_1', 'found'], title: 'Found', type: 'boolean' },
        { expression: 'steps.tool_1.`a b`', at: ['steps', 'tool_1', 'a b'], title: '', type: null },
      ],
    },
    expect.objectContaining({ from: 'run' }),
  ]);
  const onError = namesAt(document, 'try_1/on_error/transform_2');
  expect(onError).toEqual(expect.arrayContaining(['error', 'steps.for_each_1.results', 'steps.for_each_1.failed']));
  expect(onError).not.toContain('item');
});

test('the output of the workflow knows what every step outside loops gives, and nothing of those for a bad end', () => {
  let document: WorkflowDocument = { ...EMPTY_WORKFLOW, input: INPUT };
  for (const [kind, container] of [
    ['for_each', ''],
    ['transform', 'for_each_1/each'],
    ['try', ''],
    ['transform', 'try_1/on_error'],
    ['cleanup', ''],
    ['transform', 'cleanup_1/on_failure'],
  ] as const)
    document = addStep(document, container, newStep(document, kind, kind), undefined) ?? document;
  const names = namesAt(document, '');
  expect(names).toEqual(expect.arrayContaining(['input.amount', 'steps.for_each_1.results', 'steps.try_1', 'steps.transform_2', 'run.id']));
  expect(names.filter((name) => /^item|^error|transform_1|transform_3|cleanup/.test(name))).toEqual([]);
});

test('a way into data ends where there is nothing, and never in a prototype', () => {
  expect(memberAt({ a: { b: [1] } }, ['a', 'b'])).toEqual([1]);
  expect(memberAt({ a: [{ b: 1 }, { b: 2 }] }, ['a', 'b'])).toBe(1);
  expect([memberAt({ a: null }, ['a', 'b']), memberAt({}, ['constructor']), memberAt([1], ['length'])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what a value held in some data is known with its type, of a list what its first entry held', () => {
  const value = { expression: 'steps.a', at: ['steps', 'a'], title: '', type: null };
  const seen = { lines: [{ amount: 1, 'net price': { eur: 2, deep: { er: true } } }], note: null };
  expect(withSeen(value, seen).map(({ expression, type }) => [expression, type])).toEqual([
    ['steps.a', 'group'],
    ['steps.a.lines', 'list'],
    ['steps.a.lines.amount', 'number'],
    ['steps.a.lines.`net price`', 'group'],
    ['steps.a.lines.`net price`.eur', 'number'],
    ['steps.a.lines.`net price`.deep', 'group'],
    ['steps.a.note', null],
  ]);
});
