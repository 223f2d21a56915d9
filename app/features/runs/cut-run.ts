import type { Json } from '#app/domain/tables.ts';
import type { RunDetail, RunStep } from '#app/features/runs/load-run.server.ts';

/** A page holds each value three times (drawn, as data, and again where it is the run's result): more than this is shown by its beginning. */
const WHOLE_CHARACTERS = 16_000;
const START_CHARACTERS = 4_000;

/** A value as a page shows it: whole, or the beginning of its formatted JSON and how many bytes (UTF-8) all of it has. */
export type ShownValue = { whole: Json } | { start: string; bytes: number };

export type ShownStep = Omit<RunStep, 'input' | 'output'> & { input: ShownValue | null; output: ShownValue | null };
export type ShownRun = Omit<RunDetail, 'input' | 'output' | 'steps'> & {
  input: ShownValue;
  output: ShownValue | null;
  steps: ShownStep[];
};

function cutValue(value: Json): ShownValue {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= WHOLE_CHARACTERS) return { whole: value };
  return { start: text.slice(0, START_CHARACTERS), bytes: new TextEncoder().encode(text).length };
}

/** The run with no value longer than a page can bear; `/dashboard/runs/:run/value` has each whole. */
export function cutRun(run: RunDetail): ShownRun {
  const cut = (value: Json | null) => (value === null ? null : cutValue(value));
  return {
    ...run,
    input: cutValue(run.input),
    output: cut(run.output),
    steps: run.steps.map((step) => ({ ...step, input: cut(step.input), output: cut(step.output) })),
  };
}
