import { z } from 'zod';
import type { BranchStep } from '#app/domain/workflows/steps/step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

/** `was`: the label that the branch had when the form was drawn. */
const branchFields = { label: z.string().default(''), when: z.string().max(20_000).default(''), was: z.string().default('') };

export const branchFormSchema = z.object({
  ...stepFields,
  mode: z.enum(['choose', 'parallel']),
  branches: z.array(z.object(branchFields)).max(21).default([]),
});

/** Branches keep their steps under a new label; an emptied label removes a branch. */
export function readBranchStep(values: z.output<typeof branchFormSchema>, before: BranchStep): BranchStep {
  const branches = values.branches
    .filter(({ label }) => label.trim() !== '')
    .map(({ label, when, was }) => ({
      label: label.trim(),
      when,
      steps: before.branches.find((branch) => branch.label === was)?.steps ?? [],
    }));
  return { ...commonOf(values), kind: 'branch', mode: values.mode, branches };
}
