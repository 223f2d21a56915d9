import { z } from 'zod';
import { REPEAT_MAX_PAUSE, REPEAT_MAX_ROUNDS } from '#app/domain/workflows/steps/repeat-step.ts';
import type { RepeatStep } from '#app/domain/workflows/steps/step.ts';
import { commonOf, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const repeatFormSchema = z.object({
  ...stepFields,
  until: z.string().trim().min(1).max(20_000),
  rounds: whole(1, REPEAT_MAX_ROUNDS),
  pauseSeconds: whole(0, REPEAT_MAX_PAUSE),
  atLimit: z.enum(['fail', 'continue']),
});

/** The steps inside are no part of the form. */
export function readRepeatStep(values: z.output<typeof repeatFormSchema>, before: RepeatStep): RepeatStep {
  const { until, rounds, pauseSeconds, atLimit } = values;
  return { ...commonOf(values), kind: 'repeat', until, rounds, pauseSeconds, atLimit, branches: before.branches };
}
