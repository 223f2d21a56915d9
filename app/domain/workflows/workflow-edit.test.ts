import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { duplicateSteps, moveSteps, moveStepsTo, removeSteps } from '#app/domain/workflows/edit/several-steps.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import {
  addStep,
  copiesOf,
  insertSteps,
  moveStep,
  nestStep,
  newStep,
  placeOfNew,
  removeStep,
  stepAt,
  unnestStep,
} from '#app/domain/workflows/workflow-edit.ts';

const ids = (document: WorkflowDocument) => [...walkSteps(document.steps)].map(({ path }) => path);
const containersOf = (document: WorkflowDocument) => [
  '',
  ...[...walkSteps(document.steps)].flatMap(({ step, path }) =>
    'branches' in step ? step.branches.map(({ label }) => `${path}/${label}`) : [],
  ),
];
const add = (document: WorkflowDocument, kind: (typeof STEP_KINDS)[number], container = '') =>
  addStep(document, container, newStep(document, kind, kind), undefined) ?? document;

test('adds, moves, nests, takes out, duplicates and deletes', () => {
  let document = add(add(add(EMPTY_WORKFLOW, 'branch'), 'tool'), 'agent');
  expect(ids(document)).toEqual(['branch_1', 'tool_1', 'agent_1']);
  document = moveStep(document, 'agent_1', 'up') ?? document;
  expect(ids(document)).toEqual(['branch_1', 'agent_1', 'tool_1']);
  document = nestStep(document, 'agent_1') ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/agent_1', 'tool_1']);
  document = duplicateSteps(document, ['branch_1']) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/agent_1', 'branch_2', 'branch_2/yes/agent_2', 'tool_1']);
  document = unnestStep(document, 'branch_2/yes/agent_2') ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/agent_1', 'branch_2', 'agent_2', 'tool_1']);
  document = removeStep(document, 'branch_1') ?? document;
  expect(ids(document)).toEqual(['branch_2', 'agent_2', 'tool_1']);
  expect(add(document, 'tool', 'branch_2/otherwise').steps[0]).toMatchObject({ branches: [{}, { steps: [{ id: 'tool_2' }] }] });
});

test('what runs when the run ends badly is added as the last, and nothing behind it', () => {
  const document = add(add(EMPTY_WORKFLOW, 'branch'), 'tool');
  const cleanup = newStep(document, 'cleanup', 'End');
  expect(placeOfNew(document, cleanup, { container: 'branch_1/yes', at: 0 })).toEqual({ container: '', at: 2 });
  const ending = insertSteps(document, '', 2, [cleanup]) ?? document;
  const tool = newStep(ending, 'tool', 'Tool');
  expect(placeOfNew(ending, tool, { container: '', at: 3 })).toEqual({ container: '', at: 2 });
  expect(placeOfNew(ending, tool, { container: '' })).toEqual({ container: '', at: 2 });
  expect(placeOfNew(ending, tool, { container: '', at: 1 })).toEqual({ container: '', at: 1 });
  expect(placeOfNew(ending, tool, { container: 'cleanup_1/on_cancel' })).toEqual({ container: 'cleanup_1/on_cancel', at: undefined });
});

test('puts steps where they are wanted: before another, behind the last, inside a branch', () => {
  let document = add(add(add(EMPTY_WORKFLOW, 'branch'), 'tool'), 'agent');
  document = moveStepsTo(document, ['agent_1'], '', 0) ?? document;
  expect(ids(document)).toEqual(['agent_1', 'branch_1', 'tool_1']);
  document = moveStepsTo(document, ['agent_1'], '', 3) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'tool_1', 'agent_1']);
  document = moveStepsTo(document, ['tool_1'], 'branch_1/yes', 0) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/tool_1', 'agent_1']);
  document = insertSteps(document, 'branch_1/yes', 0, [newStep(document, 'wait', 'Wait')]) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/wait_1', 'branch_1/yes/tool_1', 'agent_1']);
  expect(insertSteps(document, 'branch_1/yes', 3, [])).toBeNull();
  expect(moveStepsTo(document, ['branch_1'], 'branch_1/yes', 0)).toBeNull();
  // Copies of a whole branch, also from another workflow, get ids of their own.
  const [branch] = document.steps;
  expect(copiesOf(document, branch === undefined ? [] : [branch])).toMatchObject([
    { id: 'branch_2', branches: [{ steps: [{ id: 'wait_2' }, { id: 'tool_2' }] }, {}] },
  ]);
  expect(copiesOf(EMPTY_WORKFLOW, document.steps).map(({ id }) => id)).toEqual(['branch_2', 'agent_2']);
});

test('moves, copies and deletes several steps at once; one inside another chosen one goes with it', () => {
  let document = EMPTY_WORKFLOW;
  for (const kind of ['tool', 'agent', 'model', 'branch', 'wait'] as const) document = add(document, kind);
  document = add(document, 'transform', 'branch_1/yes');
  const after = (next: WorkflowDocument | null) => (next === null ? null : ids(next));
  expect(after(moveStepsTo(document, ['model_1', 'tool_1'], 'branch_1/yes', 1))).toEqual([
    'agent_1',
    'branch_1',
    'branch_1/yes/transform_1',
    'branch_1/yes/tool_1',
    'branch_1/yes/model_1',
    'wait_1',
  ]);
  // The index is of the list as it stands before.
  expect(after(moveStepsTo(document, ['tool_1', 'wait_1'], '', 3))).toEqual([
    'agent_1',
    'model_1',
    'tool_1',
    'wait_1',
    'branch_1',
    'branch_1/yes/transform_1',
  ]);
  expect(moveStepsTo(document, ['tool_1', 'branch_1'], 'branch_1/yes', 0)).toBeNull();
  expect(moveStepsTo(document, [], '', 0)).toBeNull();
  expect(after(moveSteps(document, ['tool_1', 'agent_1', 'wait_1'], 'up'))?.slice(0, 4)).toEqual([
    'tool_1',
    'agent_1',
    'model_1',
    'wait_1',
  ]);
  expect(after(moveSteps(document, ['tool_1', 'agent_1'], 'down'))?.slice(0, 3)).toEqual(['model_1', 'tool_1', 'agent_1']);
  expect(moveSteps(document, ['tool_1', 'agent_1'], 'up')).toBeNull();
  expect(after(removeSteps(document, ['branch_1', 'branch_1/yes/transform_1', 'tool_1']))).toEqual(['agent_1', 'model_1', 'wait_1']);
  expect(removeSteps(document, ['gone'])).toBeNull();
  expect(after(duplicateSteps(document, ['agent_1', 'branch_1/yes/transform_1', 'tool_1']))).toEqual([
    'tool_1',
    'agent_1',
    'tool_2',
    'agent_2',
    'model_1',
    'branch_1',
    'branch_1/yes/transform_1',
    'branch_1/yes/transform_2',
    'wait_1',
  ]);
});

test('a copy names the output of what was copied with it, and of no other', () => {
  const transform = (id: string, expression: string) => ({ ...newStep(EMPTY_WORKFLOW, 'transform', id), id, expression }) as Step;
  const holder = newStep(EMPTY_WORKFLOW, 'for_each', 'Each');
  if (!('branches' in holder)) throw new Error('holds no steps');
  const document: WorkflowDocument = {
    ...EMPTY_WORKFLOW,
    steps: [
      transform('one', 'input'),
      transform('two', '=steps.one.total + steps["one"].rest & "steps.one" & steps.zero'),
      {
        ...holder,
        id: 'each',
        items: '=steps.two',
        branches: [{ label: 'each', when: '', steps: [transform('in_it', 'steps.one')] }],
      } as Step,
    ],
  };
  const copies = copiesOf(document, document.steps);
  expect(copies).toMatchObject([
    { id: 'one_2' },
    { id: 'two_2', expression: '=steps.one_2.total + steps["one_2"].rest & "steps.one" & steps.zero' },
    { id: 'each_2', items: '=steps.two_2', branches: [{ steps: [{ id: 'in_it_2', expression: 'steps.one_2' }] }] },
  ]);
  expect(copiesOf(document, document.steps.slice(1, 2))).toMatchObject([
    { id: 'two_2', expression: expect.stringContaining('steps.one.total') },
  ]);
});

test('a move that makes no sense changes nothing', () => {
  const document = add(EMPTY_WORKFLOW, 'tool');
  expect(moveStep(document, 'tool_1', 'up')).toBeNull();
  expect(moveStep(document, 'tool_1', 'down')).toBeNull();
  expect(nestStep(document, 'tool_1')).toBeNull();
  expect(unnestStep(document, 'tool_1')).toBeNull();
  expect(removeStep(document, 'gone/away/x')).toBeNull();
  expect(stepAt(document, '')).toBeNull();
});

test('whatever is done, the document stays valid and every id is there once', () => {
  const move = fc.record({
    what: fc.constantFrom('add', 'up', 'down', 'nest', 'out', 'copy', 'remove', 'to'),
    at: fc.nat(),
    to: fc.nat(),
    kind: fc.constantFrom(...STEP_KINDS),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      let document = EMPTY_WORKFLOW;
      for (const { what, at, to, kind } of moves) {
        const paths = ids(document);
        const path = paths[at % Math.max(1, paths.length)] ?? '';
        const before = ids(document).length;
        const next =
          what === 'add'
            ? add(document, kind)
            : what === 'up' || what === 'down'
              ? moveStep(document, path, what)
              : what === 'nest'
                ? nestStep(document, path)
                : what === 'out'
                  ? unnestStep(document, path)
                  : what === 'to'
                    ? moveStepsTo(document, [path], containersOf(document)[to % containersOf(document).length] ?? '', at % 3)
                    : what === 'copy' && before < 60
                      ? duplicateSteps(document, [path])
                      : what === 'remove'
                        ? removeStep(document, path)
                        : null;
        if (next === null) continue;
        document = next;
        if (what !== 'add' && what !== 'copy' && what !== 'remove') expect(ids(document)).toHaveLength(before);
        const all = [...walkSteps(document.steps)].map(({ step }) => step.id);
        expect(new Set(all).size).toBe(all.length);
        expect(workflowDocumentSchema.safeParse(document).success).toBe(true);
      }
    }),
  );
});
