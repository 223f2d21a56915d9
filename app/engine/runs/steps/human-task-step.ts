import type { Json } from '#app/contracts/json.ts';
import type { HumanTaskStep } from '#app/domain/workflows/steps/human-task-step.ts';
import { ExpressionError, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import {
  fail,
  flushPending,
  type Outcome,
  type RunExecution,
  resumeAt,
  STOP,
  succeed,
  WAIT,
  writeLocal,
} from '#app/engine/runs/run-execution.ts';
import type { StepResult, TaskAnswer } from '#app/engine/runs/run-store.ts';
import { shownValues } from '#app/engine/runs/steps/call-input.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';

/** Asks a person to fill in a form, and waits for the answer, or for its time to be over. A test run asks nobody but who started it. */
export async function runHumanTaskStep(execution: RunExecution, step: HumanTaskStep, path: string): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const startedAt = deps.clock.now();
  let input: TaskInput;
  try {
    input = keptInput(execution, path) ?? (await inputOf(execution, step));
  } catch (error) {
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
    return fail(execution, step, path, why);
  }
  if (isDry(execution)) return noteLocally(execution, step, path, { reason: { key: 'dryTask', values: {} }, input });
  const { to, member, show: shown } = input;
  const row = {
    path,
    stepId: step.id,
    kind: step.kind,
    name: step.name,
    attempt: 1,
    key: `${run.runId}/${path}`,
    reason: { key: 'taskStep', values: {} },
    input,
    inputDigest: digestOf(input),
    task: {
      id: deps.newId(),
      eventId: deps.newId(),
      question: step.question,
      shown,
      fields: step.fields,
      to,
      member,
      dueHours: step.dueHours,
      remindHours: step.remindHours,
      late: step.late,
    },
  };
  const answer = await deps.store.askHumanTask(run, claim.attempt, row, flushPending(execution));
  switch (answer.state) {
    case 'fenced':
    case 'halted':
    case 'cancelled':
      execution.stop ??= { kind: answer.state };
      return STOP;
    case 'nobody': {
      const why = { key: 'taskNobody', values: {} };
      writeLocal(execution, step, path, { status: 'error', error: why, input, startedAt });
      return fail(execution, step, path, why);
    }
    case 'waiting':
      if (answer.dueAt !== null) resumeAt(execution, new Date(answer.dueAt));
      return WAIT;
    default:
      return finish(execution, step, path, answer);
  }
}

async function finish(
  execution: RunExecution,
  step: HumanTaskStep,
  path: string,
  { state, answer, by }: Extract<TaskAnswer, { id: string }>,
): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const output = { answer, by: by ?? '' };
  const error = { key: state === 'expired' ? 'taskExpired' : 'taskWithdrawn', values: {} };
  const goesOn = state === 'answered' || (state === 'expired' && step.late === 'continue');
  const result: StepResult = goesOn ? { status: 'success', output, outputDigest: digestOf(output) } : { status: 'error', error };
  const finished = await deps.store.finishStep(run, claim.attempt, path, result, flushPending(execution));
  if (finished.state !== 'ok') {
    execution.stop ??= { kind: finished.state };
    return STOP;
  }
  return goesOn ? succeed(execution, step, output) : fail(execution, step, path, error);
}

/** Of JSON; a page shows it whole. */
const SHOWN_CHARACTERS = 50_000;

type TaskInput = { to: HumanTaskStep['to']; member: string; show: { [label: string]: Json } };

/** As first asked: what the person sees is what the log has. */
function keptInput({ journal }: RunExecution, path: string): TaskInput | null {
  const kept = journal.get(path)?.input;
  return kept === undefined || kept === null ? null : (kept as TaskInput);
}

async function inputOf(execution: RunExecution, step: HumanTaskStep): Promise<TaskInput> {
  const show = await shownValues(execution, step.show);
  const size = JSON.stringify(show).length;
  if (size > SHOWN_CHARACTERS) throw new ExpressionError({ key: 'taskTooLarge', values: { length: size, limit: SHOWN_CHARACTERS } });
  const to = execution.claim.mode === 'test' && !isDry(execution) ? 'starter' : step.to;
  const { member = '' } = to === 'member' ? await shownValues(execution, { member: step.member }) : {};
  if (typeof member !== 'string' || (to === 'member' && member.trim() === ''))
    throw new ExpressionError({ key: 'taskNoAddress', values: {} });
  return { to, member: member.trim(), show };
}
