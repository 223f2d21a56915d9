import { z } from 'zod';
import type { CleanupStep } from '#app/domain/workflows/steps/step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const cleanupFormSchema = z.object(stepFields);

/** The steps inside are no part of the form. */
export function readCleanupStep(values: z.output<typeof cleanupFormSchema>, before: CleanupStep): CleanupStep {
  return { ...commonOf(values), kind: 'cleanup', branches: before.branches };
}
