import { z } from 'zod';
import { UNKNOWN_OUTCOMES, type UnknownOutcome } from '#app/domain/workflows/repeatable-call.ts';
import { commonOf, mappingOf, pairs, stepFields } from '#app/features/workflows/steps/form/step-values.ts';

/** `<connection>/<capability>`, or empty to route by the task. */
export const targetField = z.string().max(260).default('');

export const callFormSchema = z.object({
  ...stepFields,
  target: targetField,
  task: z.string().trim().max(500).default(''),
  input: pairs,
  unknownOutcome: z.enum(UNKNOWN_OUTCOMES).default('fail'),
});

/** The capability that a posted target names. */
export function pinnedOf(target: string): { connection: string | null; capability: string | null } {
  const cut = target.indexOf('/');
  return cut > 0 ? { connection: target.slice(0, cut), capability: target.slice(cut + 1) } : { connection: null, capability: null };
}

/** An unchosen option is left out: the document of an unchanged step stays the same. */
export const unknownOutcomeOf = ({ unknownOutcome }: { unknownOutcome: UnknownOutcome }) =>
  unknownOutcome === 'fail' ? {} : { unknownOutcome };

/** All of a called step but its kind. */
export function callOf(values: z.output<typeof callFormSchema>) {
  const { target, task, input } = values;
  return {
    ...commonOf(values),
    ...pinnedOf(target),
    task,
    input: mappingOf(input),
    ...unknownOutcomeOf(values),
  };
}
