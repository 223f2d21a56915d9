import { z } from 'zod';
import { WAIT_UNITS, type WaitUnit } from '#app/domain/workflows/steps/wait-span.ts';
import { WAIT_MAX_SECONDS, type WaitStep } from '#app/domain/workflows/steps/wait-step.ts';
import { commonOf, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

const UNITS = Object.keys(WAIT_UNITS) as [WaitUnit, ...WaitUnit[]];

export const waitFormSchema = z.object({
  ...stepFields,
  mode: z.enum(['for', 'until', 'event']),
  amount: whole(1, WAIT_MAX_SECONDS),
  unit: z.enum(UNITS),
  until: z.string().trim().max(20_000).default(''),
  zone: z.string().trim().min(1).max(64),
});

/** A longer wait than there may be is the longest one. */
export function readWaitStep(values: z.output<typeof waitFormSchema>): WaitStep {
  const { mode, amount, unit, until, zone } = values;
  return { ...commonOf(values), kind: 'wait', mode, seconds: Math.min(amount * WAIT_UNITS[unit], WAIT_MAX_SECONDS), until, zone };
}
