import { z } from 'zod';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { BranchOf } from '#app/domain/workflows/steps/branch-step.ts';
import { type StepBase, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** The most rounds of one step. */
export const REPEAT_MAX_ROUNDS = 1_000;
/** The longest pause between two rounds, in seconds. */
export const REPEAT_MAX_PAUSE = 7 * 86_400;
/** In a document the steps of a round stand under this label; in a run's journal the number of the round stands in its place, from 0. */
const ROUND_LABEL = 'round';

export interface RepeatStepOf<Inner> extends StepBase {
  kind: 'repeat';
  /** An expression, evaluated after each round: true ends the step. */
  until: string;
  /** The most rounds. */
  rounds: number;
  /** Between two rounds, in seconds. */
  pauseSeconds: number;
  /** After the last round, where it still is not true. */
  atLimit: 'fail' | 'continue';
  /** One, with the steps that run in each round. */
  branches: BranchOf<Inner>[];
}

/** The steps inside, one round after another. Their expressions also see `index`, and the result of the round before as `last`. */
export function repeatRules<Inner>(inner: z.ZodType<Inner>): StepRules<RepeatStepOf<Inner>> {
  return {
    schema: z.object({
      ...stepCommon,
      kind: z.literal('repeat'),
      until: z.string().min(1).max(20_000),
      rounds: z.number().int().min(1).max(REPEAT_MAX_ROUNDS).default(10),
      pauseSeconds: z.number().int().min(0).max(REPEAT_MAX_PAUSE).default(0),
      atLimit: z.enum(['fail', 'continue']).default('fail'),
      branches: z
        .array(z.object({ label: z.literal(ROUND_LABEL), when: z.literal('').default(''), steps: z.array(inner).max(WORKFLOW_MAX_STEPS) }))
        .length(1),
    }),
    create: (base) => ({
      ...base,
      kind: 'repeat',
      until: '=true',
      rounds: 10,
      pauseSeconds: 0,
      atLimit: 'fail',
      branches: [{ label: ROUND_LABEL, when: '', steps: [] }],
    }),
    mappings: () => ({}),
    check: (step, at) => {
      at.expressionAfter('until', stripMark(step.until));
      if (step.branches.every(({ steps }) => steps.length === 0)) at.report('until', 'emptyLoop');
    },
    protocols: [],
    askedAgain: false,
    repeats: true,
    outputNames: () => ['rounds', 'done', 'result'],
    innerNames: () => ['last', 'index'],
  };
}
