import type { Json } from '#app/contracts/json.ts';
import { eventKey } from '#app/domain/workflows/events/event-key.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import { takesEvent, WAIT_MAX_SECONDS, type WaitStep } from '#app/domain/workflows/steps/wait-step.ts';
import { instantOf } from '#app/domain/workflows/time-zone.ts';
import { ExpressionError, evaluate, explanationOf, type Scope } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, type Outcome, type RunExecution, recall, resumeAt, succeed, WAIT, writeLocal } from '#app/engine/runs/run-execution.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';

/**
 * Lets the run rest until an instant, or until an event has come, whichever is earlier. The instant is in the journal before the wait begins: a
 * later walk must not wait for another one.
 */
export async function runWaitStep(execution: RunExecution, step: WaitStep, path: string): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  const noted = isDry(execution) ? recall(execution, step, path) : null;
  if (noted !== null) return noted;
  let until = keptInstant(execution, path);
  if (until === null) {
    try {
      until = await instantToWaitFor(execution, step, startedAt);
    } catch (error) {
      const why = explanationOf(error);
      writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
      return fail(execution, step, path, why);
    }
    if (isDry(execution)) return noteWait(execution, step, path, until);
    const reason = { key: step.mode === 'event' ? 'waitEvent' : 'waitUntil', values: { at: shownInstant(until) } };
    // As it was written, with its zone, and the instant that this is.
    const written = step.mode !== 'until' ? String(step.seconds) : step.until;
    const input = { mode: step.mode, written, zone: step.zone, until: until.toISOString() };
    writeLocal(execution, step, path, { status: 'processing', reason, input, startedAt });
  }
  const event = step.mode === 'event' ? await readEvent(execution, step, path) : null;
  if (event === null && until > execution.deps.clock.now()) {
    resumeAt(execution, until);
    return WAIT;
  }
  if (event === null && step.mode === 'event') {
    const late = { key: 'eventTimeout', values: { at: shownInstant(until) } };
    writeLocal(execution, step, path, { status: 'error', error: late, startedAt });
    return fail(execution, step, path, late);
  }
  const output: Json = event === null ? { until: until.toISOString() } : { body: event.body, at: new Date(event.at).toISOString() };
  writeLocal(execution, step, path, { status: 'success', output, startedAt });
  return succeed(execution, step, output);
}

/** A dry run does not wait: it notes until when a live one would. */
function noteWait(execution: RunExecution, step: WaitStep, path: string, until: Date): Outcome {
  const input = { mode: step.mode, zone: step.zone, until: until.toISOString() };
  const reason = { key: step.mode === 'event' ? 'dryEvent' : 'dryWait', values: { at: shownInstant(until) } };
  return noteLocally(execution, step, path, { reason, input, ...(step.mode !== 'event' && { output: { until: input.until } }) });
}

const shownInstant = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function keptInstant({ journal, pending }: RunExecution, path: string): Date | null {
  const input: Json | undefined = journal.get(path)?.input ?? pending.get(path)?.input;
  const until = typeof input === 'object' && input !== null && !Array.isArray(input) ? input.until : undefined;
  return typeof until === 'string' ? new Date(until) : null;
}

async function instantToWaitFor(execution: RunExecution, step: WaitStep, now: Date): Promise<Date> {
  if (step.mode !== 'until') return new Date(now.getTime() + step.seconds * 1_000);
  const written = isExpression(step.until) ? await evaluate(stripMark(step.until), execution.scope) : step.until;
  const until = typeof written === 'string' ? instantOf(written, step.zone) : null;
  if (until === null) throw new ExpressionError({ key: 'waitNotATime', values: { value: JSON.stringify(written ?? null).slice(0, 80) } });
  if (until.getTime() - now.getTime() > WAIT_MAX_SECONDS * 1_000)
    throw new ExpressionError({ key: 'waitTooLong', values: { at: until.toISOString(), days: WAIT_MAX_SECONDS / 86_400 } });
  return until;
}

const readEvent = ({ deps, run, claim }: RunExecution, { id }: WaitStep, path: string) =>
  deps.store.readEvent(run, claim.attempt, eventKey(id, path));

/**
 * The variable `run` for these steps, at this path: any of them may send the address of a step that waits for an event, before that one begins.
 * An item of a loop has addresses of its own, which only its steps know.
 */
export function runWithCallbacks({ deps, run, scope }: RunExecution, steps: readonly Step[], path: string): Pick<Scope, 'run'> {
  const { callbacks } = deps;
  if (callbacks === undefined) return { run: scope.run };
  const own = [...eventSteps(steps, path)].map((at) => [at.id, callbacks.addressOf(run.runId, eventKey(at.id, at.path))]);
  return { run: own.length === 0 ? scope.run : { ...scope.run, callbacks: { ...scope.run.callbacks, ...Object.fromEntries(own) } } };
}

/** Steps that take an event in, but for those of loops among them. */
function* eventSteps(steps: readonly Step[], prefix: string): Generator<{ id: string; path: string }> {
  for (const step of steps) {
    const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
    if (takesEvent(step)) yield { id: step.id, path };
    if ('branches' in step && !STEP_RULES[step.kind].repeats)
      for (const branch of step.branches) yield* eventSteps(branch.steps, `${path}/${branch.label}`);
  }
}
