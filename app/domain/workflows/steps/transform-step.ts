import { z } from 'zod';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const transformStepSchema = z.object({ ...stepCommon, kind: z.literal('transform'), expression: z.string().min(1).max(20_000) });
export type TransformStep = z.infer<typeof transformStepSchema>;

/** A value computed from the run's input and earlier steps. */
export const transformRules: StepRules<TransformStep> = {
  schema: transformStepSchema,
  create: (base) => ({ ...base, kind: 'transform', expression: 'input' }),
  mappings: () => ({}),
  check: (step, at) => at.expression('expression', stripMark(step.expression)),
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: () => [],
  innerNames: () => [],
};
