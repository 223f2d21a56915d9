import { z } from 'zod';
import type { TryStep } from '#app/domain/workflows/steps/step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const tryFormSchema = z.object(stepFields);

/** The steps inside are no part of the form. */
export function readTryStep(values: z.output<typeof tryFormSchema>, before: TryStep): TryStep {
  return { ...commonOf(values), kind: 'try', branches: before.branches };
}
