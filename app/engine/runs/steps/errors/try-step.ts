import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { JournalStep, RunError } from '#app/domain/runs/run-state.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { STEP_RULES, type Step, type TryStep } from '#app/domain/workflows/steps/step.ts';
import { ON_ERROR, TRIED } from '#app/domain/workflows/steps/try-labels.ts';
import {
  forkContained,
  forkExecution,
  type Outcome,
  type RunExecution,
  STOP,
  succeed,
  WAIT,
  writeLocal,
} from '#app/engine/runs/run-execution.ts';
import { leaveOpen } from '#app/engine/runs/steps/errors/leave-open.ts';
import { outputOf, takeOver } from '#app/engine/runs/steps/errors/take-over.ts';
import type { RunSequence } from '#app/engine/runs/steps/step-runner.ts';

/**
 * Runs its steps, and where one fails the steps for errors. The error is in the journal before one of these starts: a later walk goes the same
 * way, whatever has become of the steps that were tried. A failure among the steps for errors is one of the run; a halt and a cancellation are
 * none.
 */
export async function runTryStep(execution: RunExecution, step: TryStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  const row = execution.journal.get(path);
  if (row === undefined) writeLocal(execution, step, path, { status: 'processing', startedAt });
  let error = caughtError(row);
  if (error === null) {
    const own = forkContained(execution, {});
    const tried = await runSequence(own, stepsOf(step, TRIED), `${path}/${TRIED}`);
    const failure = own.failure();
    if (tried.kind === 'wait') return execution.stop === null ? WAIT : STOP;
    if (tried.kind === 'done' && failure === null) {
      Object.assign(execution.scope.steps, own.scope.steps);
      for (const [id, facts] of own.facts) execution.facts.set(id, facts);
      leaveOut(execution, stepsOf(step, ON_ERROR), `${path}/${ON_ERROR}`, new Set(), null);
      return end(execution, step, path, { failed: false, output: tried.output, error: null }, startedAt);
    }
    if (failure === null || execution.stop !== null) return STOP;
    error = { key: failure.key, values: failure.values, step: failure.step ?? '' };
    leaveOut(execution, stepsOf(step, TRIED), `${path}/${TRIED}`, new Set(Object.keys(own.scope.steps)), failure);
    takeOver(execution, stepsOf(step, TRIED), `${path}/${TRIED}`, (id) => own.scope.steps[id] ?? null);
    writeLocal(execution, step, path, { status: 'processing', input: { error }, startedAt });
    await leaveOpen(execution, own, `${path}/${TRIED}`);
    if (execution.stop !== null) return STOP;
  } else takeOver(execution, stepsOf(step, TRIED), `${path}/${TRIED}`, (_id, place) => outputOf(execution.journal.get(place)));
  const caught = forkExecution(execution);
  caught.scope.error = error;
  const outcome = await runSequence(caught, stepsOf(step, ON_ERROR), `${path}/${ON_ERROR}`);
  Object.assign(execution.scope.steps, caught.scope.steps);
  if (outcome.kind !== 'done') return outcome;
  return end(execution, step, path, { failed: true, output: outcome.output, error }, startedAt);
}

const stepsOf = (step: TryStep, label: string): readonly Step[] => step.branches.find((branch) => branch.label === label)?.steps ?? [];

type CaughtError = { key: string; values: RunError['values']; step: string };

/** The error of an earlier walk. */
function caughtError(row: JournalStep | undefined): CaughtError | null {
  const input = row?.input;
  const kept = typeof input === 'object' && input !== null && !Array.isArray(input) ? input.error : undefined;
  return kept === undefined ? null : (kept as CaughtError);
}

function end(
  execution: RunExecution,
  step: TryStep,
  path: string,
  result: { failed: boolean; output: Json; error: CaughtError | null },
  startedAt: Date,
): Outcome {
  const reason: Explanation =
    result.error === null ? { key: 'tryNoError', values: {} } : { key: 'tryCaught', values: { step: result.error.step } };
  if (execution.journal.get(path)?.status !== 'success')
    writeLocal(execution, step, path, { status: 'success', reason, output: result, startedAt });
  return succeed(execution, step, result);
}

/** Closes what will not run: skipped where it has not begun; with the `failure` where something that it holds has. `ended`: the ids of the rest. */
function leaveOut(
  execution: RunExecution,
  steps: readonly Step[],
  prefix: string,
  ended: ReadonlySet<string>,
  failure: RunError | null,
): void {
  const startedAt = execution.deps.clock.now();
  const reason: Explanation = { key: failure === null ? 'tryNoError' : 'tryLeftOut', values: {} };
  const begunLoops: string[] = [];
  for (const { step, path } of walkSteps(steps, prefix)) {
    // The steps of a loop that has begun have rows of their own, one for each item.
    if (begunLoops.some((loop) => path.startsWith(`${loop}/`))) continue;
    const begun = ended.has(step.id) || execution.journal.has(path) || execution.pending.has(path);
    if (failure !== null && begun && STEP_RULES[step.kind].repeats) begunLoops.push(path);
    if (ended.has(step.id)) continue;
    // Of tried steps the scope is filled in the order of the document, as on every later walk.
    if (failure === null) execution.scope.steps[step.id] = null;
    const status = execution.journal.get(path)?.status;
    if (status === 'success' || status === 'error' || status === 'skipped') continue;
    const held = 'branches' in step ? step.branches.flatMap((branch) => [...walkSteps(branch.steps)]) : [];
    if (failure !== null && held.some((inner) => ended.has(inner.step.id)))
      writeLocal(execution, step, path, { status: 'error', error: failure, startedAt });
    else writeLocal(execution, step, path, { status: 'skipped', reason, startedAt });
  }
}
