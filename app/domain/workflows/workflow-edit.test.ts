import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument, walkSteps, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import {
  addStep,
  copiesOf,
  duplicateStep,
  insertSteps,
  moveStep,
  moveStepTo,
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
  document = duplicateStep(document, 'branch_1') ?? document;
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
  document = moveStepTo(document, 'agent_1', '', 0) ?? document;
  expect(ids(document)).toEqual(['agent_1', 'branch_1', 'tool_1']);
  document = moveStepTo(document, 'agent_1', '', 3) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'tool_1', 'agent_1']);
  document = moveStepTo(document, 'tool_1', 'branch_1/yes', 0) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/tool_1', 'agent_1']);
  document = insertSteps(document, 'branch_1/yes', 0, [newStep(document, 'wait', 'Wait')]) ?? document;
  expect(ids(document)).toEqual(['branch_1', 'branch_1/yes/wait_1', 'branch_1/yes/tool_1', 'agent_1']);
  expect(insertSteps(document, 'branch_1/yes', 3, [])).toBeNull();
  expect(moveStepTo(document, 'branch_1', 'branch_1/yes', 0)).toBeNull();
  // Copies of a whole branch, also from another workflow, get ids of their own.
  const [branch] = document.steps;
  expect(copiesOf(document, branch === undefined ? [] : [branch])).toMatchObject([
    { id: 'branch_2', branches: [{ steps: [{ id: 'wait_2' }, { id: 'tool_2' }] }, {}] },
  ]);
  expect(copiesOf(EMPTY_WORKFLOW, document.steps).map(({ id }) => id)).toEqual(['branch_2', 'agent_2']);
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
                    ? moveStepTo(document, path, containersOf(document)[to % containersOf(document).length] ?? '', at % 3)
                    : what === 'copy' && before < 60
                      ? duplicateStep(document, path)
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
