import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { planFork, planRetry } from '#app/domain/runs/run-fork.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

const transform = (id: string, onError: 'fail' | 'continue' = 'fail') => ({
  id,
  name: id,
  kind: 'transform' as const,
  expression: '1',
  onError,
});
const document: WorkflowDocument = workflowDocumentSchema.parse({
  format: 'quorate.workflow/1',
  steps: [
    transform('a'),
    { id: 'ask', name: 'Ask', kind: 'approval', question: 'May it?' },
    transform('b', 'continue'),
    {
      id: 'way',
      name: 'Way',
      kind: 'branch',
      mode: 'choose',
      branches: [
        { label: 'left', when: 'true', steps: [transform('c'), transform('d')] },
        { label: 'right', when: '', steps: [transform('e')] },
      ],
    },
    transform('f'),
  ],
});
const journal = (overrides: Record<string, StepStatus> = {}) =>
  new Map<string, StepStatus>(
    Object.entries({
      a: 'success',
      ask: 'success',
      b: 'error',
      way: 'success',
      'way/left/c': 'success',
      'way/left/d': 'error',
      'way/right/e': 'skipped',
      ...overrides,
    }),
  );

test('what was done before the place is kept, an approval is asked again, and the branch that the place lies in stays chosen', () => {
  expect(planFork(document, journal(), 'way/left/d')).toEqual({
    kept: ['a', 'b', 'way/left/c'],
    open: ['way'],
    askedAgain: ['ask'],
    again: ['way/left/d', 'f'],
    begun: [],
  });
});

test('from the beginning nothing is kept', () => {
  expect(planFork(document, journal(), null)).toMatchObject({ kept: [], open: [], askedAgain: [] });
});

test('a step that the run never came to is no place to continue from', () => {
  expect(planFork(document, journal(), 'f')).toBeNull();
  expect(planFork(document, journal(), 'way/right/e')).toBeNull();
  expect(planFork(document, journal(), 'nowhere')).toBeNull();
});

test('no approval and nothing from the place on is ever kept, whatever the journal says', () => {
  const paths = [...walkSteps(document.steps)].map(({ path }) => path);
  const status = fc.constantFrom<StepStatus>('pending', 'processing', 'waiting', 'success', 'error', 'skipped');
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.array(status, { minLength: paths.length, maxLength: paths.length }), (from, statuses) => {
      const plan = planFork(document, new Map(paths.map((path, index) => [path, statuses[index] ?? 'success'])), from);
      if (plan === null) return;
      expect(plan.kept).not.toContain('ask');
      for (const path of [...plan.kept, ...plan.open]) expect(paths.indexOf(path)).toBeLessThan(paths.indexOf(from));
      expect(new Set([...plan.kept, ...plan.open, ...plan.askedAgain, ...plan.again]).size).toBe(
        plan.kept.length + plan.open.length + plan.askedAgain.length + plan.again.length,
      );
    }),
  );
});

test('a run that is tried again keeps what is done, also beside the step that failed, and the choices around it', () => {
  expect(planRetry(document, journal({ way: 'error' }))).toEqual({ kept: ['a', 'b', 'way/left/c'], open: ['way'], begun: ['way/left/d'] });
  const parallel = workflowDocumentSchema.parse({
    format: 'quorate.workflow/1',
    steps: [
      {
        id: 'both',
        name: 'Both',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [transform('l')] },
          { label: 'right', steps: [transform('r')] },
        ],
      },
      transform('after'),
    ],
  });
  const statuses = new Map<string, StepStatus>([
    ['both', 'error'],
    ['both/left/l', 'error'],
    ['both/right/r', 'success'],
  ]);
  expect(planRetry(parallel, statuses)).toEqual({ kept: ['both/right/r'], open: ['both'], begun: ['both/left/l'] });
  // Nothing in the other branch comes after the step, unless other data reaches it.
  expect(planFork(parallel, statuses, 'both/left/l')).toMatchObject({
    kept: ['both/right/r'],
    open: ['both'],
    again: ['both/left/l', 'after'],
  });
  expect(planFork(parallel, statuses, 'both/left/l', true)).toMatchObject({ kept: [], again: ['both/left/l', 'both/right/r', 'after'] });
  const open = new Map(statuses).set('both/right/r', 'error');
  expect(planFork(parallel, open, 'both/left/l')).toMatchObject({
    kept: [],
    again: ['both/left/l', 'both/right/r', 'after'],
    begun: ['both/right/r'],
  });
});
