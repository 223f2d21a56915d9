import { z } from 'zod';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import type { BranchOf } from '#app/domain/workflows/steps/branch-step.ts';
import { ON_CANCEL, ON_FAILURE } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { type StepBase, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

export interface CleanupStepOf<Inner> extends StepBase {
  kind: 'cleanup';
  /** Two: those for a failure of the run, and those for its cancellation. */
  branches: BranchOf<Inner>[];
}

/**
 * The compensation of a whole workflow: steps that run after its run has failed, or was cancelled, and before it ends as that. Stands once, as
 * the last of the outermost steps. Expressions of the steps for a failure also see `error`.
 */
export function cleanupRules<Inner>(inner: z.ZodType<Inner>): StepRules<CleanupStepOf<Inner>> {
  const list = z.array(inner).max(WORKFLOW_MAX_STEPS);
  const branch = (label: string) => z.object({ label: z.literal(label), when: z.literal('').default(''), steps: list });
  return {
    schema: z.object({ ...stepCommon, kind: z.literal('cleanup'), branches: z.tuple([branch(ON_FAILURE), branch(ON_CANCEL)]) }),
    create: (base) => ({ ...base, kind: 'cleanup', branches: [ON_FAILURE, ON_CANCEL].map((label) => ({ label, when: '', steps: [] })) }),
    mappings: () => ({}),
    check: (step, at) => {
      if (!at.isLast) at.report('branches', 'cleanupPlace');
      if (step.branches.every(({ steps }) => steps.length === 0)) at.report('branches', 'emptyCleanup');
    },
    protocols: [],
    askedAgain: false,
    repeats: false,
    outputNames: () => [],
    innerNames: (label) => (label === ON_FAILURE ? ['error'] : []),
  };
}
