import { z } from 'zod';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';
import { instantOf, isTimeZone } from '#app/domain/workflows/time-zone.ts';

/** The longest wait, in seconds: a leap year. */
export const WAIT_MAX_SECONDS = 366 * 86_400;

const waitStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('wait'),
  mode: z.enum(['for', 'until', 'event']).default('for'),
  /** Of `for`; of `event`, the longest wait. */
  seconds: z.number().int().min(1).max(WAIT_MAX_SECONDS).default(3_600),
  /** Of `until`: a date and time, or an expression that gives one. */
  until: z.string().max(20_000).default(''),
  /** The time zone (IANA) of a date and time without one. */
  zone: z.string().min(1).max(64).default('UTC'),
});
export type WaitStep = z.infer<typeof waitStepSchema>;

/** Whether a step takes an event in: it has an address, which other steps read. */
export const takesEvent = (step: { kind: string; mode?: unknown }): boolean => step.kind === 'wait' && step.mode === 'event';

/** The run rests for a time, until a date and time, or until an event comes in; no worker is held meanwhile. */
export const waitRules: StepRules<WaitStep> = {
  schema: waitStepSchema,
  create: (base) => ({ ...base, kind: 'wait', mode: 'for', seconds: 3_600, until: '', zone: 'UTC' }),
  mappings: () => ({}),
  check: (step, at) => {
    if (step.mode !== 'until') return;
    if (!isTimeZone(step.zone)) at.report('zone', 'unknownZone');
    else if (isExpression(step.until)) at.expression('until', stripMark(step.until));
    else if (instantOf(step.until, step.zone) === null) at.report('until', 'notADateTime');
  },
  protocols: [],
  askedAgain: false,
  repeats: false,
  outputNames: ({ mode }) => (mode === 'event' ? ['body', 'at'] : ['until']),
  innerNames: () => [],
};
