import { z } from 'zod';
import { WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { BranchOf } from '#app/domain/workflows/steps/branch-step.ts';
import { type StepBase, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** The most items of one list. */
export const LOOP_MAX_ITEMS = 10_000;
/** The most items under way at once. */
export const LOOP_MAX_AT_ONCE = 20;
/** In a document the steps of a loop stand under this label; in a run's journal the number of their item stands in its place, from 0. */
const LOOP_LABEL = 'each';

export interface ForEachStepOf<Inner> extends StepBase {
  kind: 'for_each';
  /** An expression that gives the list. */
  items: string;
  /** How many items are under way at once. */
  atOnce: number;
  /** `stop`: no further item begins, those under way finish, and the step fails. */
  onItemError: 'stop' | 'continue';
  /** An expression for the result of one item; empty: the output of its last step. */
  collect: string;
  /** One, with the steps that run for each item. */
  branches: BranchOf<Inner>[];
}

/** The steps inside, once for each item of a list. Their expressions also see `item` and `index`. */
export function forEachRules<Inner>(inner: z.ZodType<Inner>): StepRules<ForEachStepOf<Inner>> {
  return {
    schema: z.object({
      ...stepCommon,
      kind: z.literal('for_each'),
      items: z.string().min(1).max(20_000),
      atOnce: z.number().int().min(1).max(LOOP_MAX_AT_ONCE).default(1),
      onItemError: z.enum(['stop', 'continue']).default('stop'),
      collect: z.string().max(20_000).default(''),
      branches: z
        .array(z.object({ label: z.literal(LOOP_LABEL), when: z.literal('').default(''), steps: z.array(inner).max(WORKFLOW_MAX_STEPS) }))
        .length(1),
    }),
    create: (base) => ({
      ...base,
      kind: 'for_each',
      items: '=[]',
      atOnce: 1,
      onItemError: 'stop',
      collect: '',
      branches: [{ label: LOOP_LABEL, when: '', steps: [] }],
    }),
    mappings: () => ({}),
    check: (step, at) => {
      at.expression('items', stripMark(step.items));
      if (step.collect.trim() !== '') at.expressionAfter('collect', stripMark(step.collect));
      if (step.branches.every(({ steps }) => steps.length === 0)) at.report('items', 'emptyLoop');
    },
    protocols: [],
    askedAgain: false,
    repeats: true,
    outputNames: () => ['count', 'ok', 'failed', 'results'],
    innerNames: () => ['item', 'index'],
  };
}
