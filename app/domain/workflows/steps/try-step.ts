import { z } from 'zod';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import type { BranchOf } from '#app/domain/workflows/steps/branch-step.ts';
import { type StepBase, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';
import { ON_ERROR, TRIED } from '#app/domain/workflows/steps/try-labels.ts';

export interface TryStepOf<Inner> extends StepBase {
  kind: 'try';
  /** Two: those that are tried, and those for an error. */
  branches: BranchOf<Inner>[];
}

/** Steps with another way for an error: where one fails, the rest of them are left out and the others run. Their expressions also see `error`. */
export function tryRules<Inner>(inner: z.ZodType<Inner>): StepRules<TryStepOf<Inner>> {
  const list = z.array(inner).max(WORKFLOW_MAX_STEPS);
  const branch = (label: string) => z.object({ label: z.literal(label), when: z.literal('').default(''), steps: list });
  return {
    schema: z.object({ ...stepCommon, kind: z.literal('try'), branches: z.tuple([branch(TRIED), branch(ON_ERROR)]) }),
    create: (base) => ({ ...base, kind: 'try', branches: [TRIED, ON_ERROR].map((label) => ({ label, when: '', steps: [] })) }),
    mappings: () => ({}),
    check: (step, at) => {
      if (step.branches[0]?.steps.length === 0) at.report('branches', 'emptyTry');
    },
    protocols: [],
    askedAgain: false,
    repeats: false,
    outputNames: () => ['failed', 'output', 'error'],
    innerNames: (label) => (label === ON_ERROR ? ['error'] : []),
  };
}
