import { z } from 'zod';
import { LOOP_MAX_AT_ONCE } from '#app/domain/workflows/steps/for-each-step.ts';
import type { ForEachStep } from '#app/domain/workflows/steps/step.ts';
import { commonOf, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const forEachFormSchema = z.object({
  ...stepFields,
  items: z.string().trim().min(1).max(20_000),
  atOnce: whole(1, LOOP_MAX_AT_ONCE),
  onItemError: z.enum(['stop', 'continue']),
  collect: z.string().trim().max(20_000).default(''),
});

/** The steps inside are no part of the form. */
export function readForEachStep(values: z.output<typeof forEachFormSchema>, before: ForEachStep): ForEachStep {
  const { items, atOnce, onItemError, collect } = values;
  return { ...commonOf(values), kind: 'for_each', items, atOnce, onItemError, collect, branches: before.branches };
}
