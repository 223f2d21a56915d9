import type { DrawnValue } from '#app/components/value/drawn-value.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Risk, StepStatus } from '#app/contracts/statuses.ts';
import { type RunFile, runFileSchema } from '#app/domain/documents/run-file.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';
import { failedStepOf } from '#app/features/runs/failed-step.ts';
import type { RunDetail } from '#app/features/runs/load-run.server.ts';
import { drawn } from '#app/features/runs/panel/load-panel-step.server.ts';
import type { TraceStep } from '#app/features/runs/trace/load-trace-steps.server.ts';
import { type Trace, traceOf } from '#app/features/runs/trace/trace.ts';
import type { TracePlace } from '#app/features/runs/trace/trace-place.ts';

/** Facts about the steps as a whole; the trace has them one by one. */
type StepsInShort = {
  /** The state of each step outside loops, by its path. */
  states: [path: string, status: StepStatus][];
  /** The first step that waits for an approval, and why. */
  waiting: { name: string; approval: string; risk: Risk; reason: Explanation } | null;
  /** The first step that waits for a form. */
  asking: { name: string; task: string } | null;
  /** Why its steps for a bad end run. */
  ending: Explanation | null;
  /** The path of the step that may be retried. */
  retryAt: string | null;
  /** The path of the steps for a bad end, which no run continues from. */
  cleanup: string | null;
};

/** A run for its page. `file`: the one that its output is. Its values are there only while no step is selected: the panel shows one or the other. */
export type ShownRun = Omit<RunDetail, 'input' | 'output' | 'steps'> &
  StepsInShort & { hasInput: boolean; values: { input: DrawnValue | null; output: DrawnValue | null; file: RunFile | null } | null };

/** `whole`: no step is selected. */
export function shownRun(found: RunDetail, place: TracePlace, whole: boolean): { run: ShownRun; trace: Trace } {
  const { input, output, steps, ...run } = found;
  const over = isTerminalRunStatus(run.status);
  return {
    run: {
      ...run,
      ...inShort(found, over),
      states: steps.map(({ path, status }) => [path, status]),
      hasInput: input !== null && typeof input === 'object' && Object.keys(input).length > 0,
      values: !whole
        ? null
        : {
            input: drawn(input, 'input', place),
            output: over ? drawn(output, 'output', place) : null,
            file: over ? (runFileSchema.safeParse(output).data ?? null) : null,
          },
    },
    trace: traceOf(steps, place, Date.parse(run.finishedAt ?? new Date().toISOString())),
  };
}

function inShort({ status, steps }: RunDetail, over: boolean): Omit<StepsInShort, 'states'> {
  const waiting = steps.find(({ pending }) => pending !== null);
  const asking = over ? undefined : steps.find((step) => step.task !== null && step.status === 'waiting');
  const cleanup = cleanupOf<TraceStep>(steps);
  return {
    waiting: waiting?.pending == null ? null : { ...waiting.pending, name: waiting.name },
    asking: asking?.task == null ? null : { name: asking.name, task: asking.task },
    ending: cleanup?.reason ?? null,
    retryAt: failedStepOf({ status, steps })?.path ?? null,
    cleanup: cleanup?.path ?? null,
  };
}
