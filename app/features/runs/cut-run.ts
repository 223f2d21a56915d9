import { type ShownValue, valueCutter } from '#app/components/value/shown-value.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunDetail } from '#app/features/runs/load-run.server.ts';
import type { RunStep } from '#app/features/runs/load-run-steps.server.ts';

export type ShownStep = Omit<RunStep, 'input' | 'output'> & { input: ShownValue | null; output: ShownValue | null };
export type ShownRun = Omit<RunDetail, 'input' | 'output' | 'steps'> & {
  input: ShownValue;
  output: ShownValue | null;
  steps: ShownStep[];
};

/** The run with no value longer than a page can bear; `/dashboard/runs/:run/value` has each whole. */
export function cutRun(run: RunDetail): ShownRun {
  const { json } = valueCutter();
  const cut = (value: Json | null) => (value === null ? null : json(value));
  return {
    ...run,
    output: cut(run.output),
    input: json(run.input),
    steps: run.steps.map((step) => ({ ...step, input: cut(step.input), output: cut(step.output) })),
  };
}
