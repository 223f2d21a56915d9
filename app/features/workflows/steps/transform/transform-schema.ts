import { z } from 'zod';
import type { TransformStep } from '#app/domain/workflows/steps/transform-step.ts';
import { commonOf, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

export const transformFormSchema = z.object({ ...stepFields, expression: z.string().trim().min(1).max(20_000) });

export function readTransformStep(values: z.output<typeof transformFormSchema>): TransformStep {
  return { ...commonOf(values), kind: 'transform', expression: values.expression };
}
