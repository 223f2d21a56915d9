import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { PLANS, planInForce } from '#app/domain/people/plans.ts';
import { planRetry } from '#app/domain/runs/run-fork.ts';
import type { JournalStep } from '#app/domain/runs/run-state.ts';
import type { VersionDocument } from '#app/domain/workflows/agent.ts';
import type { SubWorkflowStep } from '#app/domain/workflows/steps/sub-workflow-step.ts';
import { inputJsonSchema } from '#app/domain/workflows/workflow.ts';
import { ExpressionError, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import {
  countAsHigh,
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
import type { CallBefore, CalledRun, CalledWorkflow } from '#app/engine/runs/run-store.ts';
import { checkRunInput, monthOf } from '#app/engine/runs/start-run.ts';
import { mapValues } from '#app/engine/runs/steps/call-input.ts';
import { startSubject } from '#app/engine/runs/texts/make-subject.ts';

/** After which a step looks again for the run that it waits to go on with. */
const LOOK_AGAIN_MS = 600_000;

type Found = CalledWorkflow & { state: 'found' };

/**
 * Runs another workflow as a run of its own, with its own policies, approvals and journal, and waits for its end. The run is started once,
 * together with this step's row; that it has ended wakes this one. Where this run continues an earlier one, it goes on with the run that had been
 * called: that is continued, or, where it or a later try of it is under way or has completed, waited for or taken.
 */
export async function runSubWorkflowStep(execution: RunExecution, step: SubWorkflowStep, path: string): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const startedAt = deps.clock.now();
  const row = execution.journal.get(path);
  const goesOn = row?.reason?.key === 'calledRunContinues' || row?.reason?.key === 'calledRunAwaited';
  if (row !== undefined && !goesOn) return resultOf(execution, step, path, await deps.store.readCalledRun(run, claim.attempt, path));
  try {
    const earlier = row === undefined ? null : await readEarlier(execution, step, path);
    if (row !== undefined && earlier !== null && !hasFailed(earlier)) return takeOrAwait(execution, step, row, earlier);
    return await startRunOf(execution, step, path, earlier, startedAt);
  } catch (error) {
    return failStep(execution, step, path, explanationOf(error), startedAt);
  }
}

/** Starts the run, or where there is an earlier one, a run that continues it. */
async function startRunOf(
  execution: RunExecution,
  step: SubWorkflowStep,
  path: string,
  earlier: CallBefore | null,
  startedAt: Date,
): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const found = await findWorkflow(execution, earlier === null ? step : { ...step, version: earlier.number });
  const document = await documentOf(execution, found);
  const input = earlier?.input ?? (await inputFor(execution, step, found, document));
  const subject = await startSubject({ document, mode: execution.claim.mode, input, startedAt });
  const runId = deps.newId();
  writeLocal(execution, step, path, {
    status: 'processing',
    reason: {
      key: earlier === null ? 'calledRun' : 'calledRunContinued',
      values: { name: found.name, version: found.number, ...(earlier === null ? {} : { run: earlier.runId }) },
    },
    input: { run: runId, workflow: step.workflow, version: found.number, input },
    startedAt,
  });
  const quota = PLANS[planInForce({ plan: found.plan, trial_ends_at: dateOf(found.trialEndsAt) }, startedAt)].executions;
  const call = {
    ...{ runId, eventId: deps.newId(), versionId: found.versionId, input, subject, quota, since: monthOf(startedAt).toISOString() },
    ...(earlier === null ? {} : { continues: { run: earlier.runId, ...planRetry(document, new Map(Object.entries(earlier.statuses))) } }),
  };
  const { state } = await deps.store.startCalledRun(run, claim.attempt, path, call, flushPending(execution));
  if (state === 'full') throw new ExpressionError({ key: 'calledRunQuota', values: { limit: quota ?? 0 } });
  if (state !== 'started') {
    execution.stop ??= { kind: state };
    return STOP;
  }
  await deps.queue.send([{ runId, workspaceId: run.workspaceId }]);
  return WAIT;
}

/** As long as the run is under way, its end wakes this one; so does a look from time to time, since what ties the two may be deleted. */
function takeOrAwait(execution: RunExecution, step: SubWorkflowStep, row: JournalStep, earlier: CallBefore): Outcome {
  const { path } = row;
  const startedAt = execution.deps.clock.now();
  const { runId, name, number: version, input, output, changed } = earlier;
  if (earlier.status !== 'completed') {
    resumeAt(execution, new Date(startedAt.getTime() + LOOK_AGAIN_MS));
    if (row.reason?.values.awaits !== runId) {
      const reason = { key: 'calledRunAwaited', values: { name, run: String(row.reason?.values.run), awaits: runId } };
      writeLocal(execution, step, path, { status: 'waiting', reason, startedAt });
    }
    return WAIT;
  }
  const reason = { key: 'calledRunTaken', values: { name, version, run: runId, ...(changed && { changed }) } };
  writeLocal(execution, step, path, {
    status: 'success',
    reason,
    input: { run: runId, workflow: step.workflow, version, input },
    output,
    startedAt,
  });
  return succeedWith(execution, step, output, changed);
}

async function findWorkflow(execution: RunExecution, step: SubWorkflowStep): Promise<Found> {
  const { deps, run, claim } = execution;
  const found: CalledWorkflow =
    step.workflow === null ? { state: 'unknown' } : await deps.store.findCalledWorkflow(run, claim.attempt, step.workflow, step.version);
  if (found.state === 'found') return found;
  if (found.state === 'unknown') throw new ExpressionError({ key: 'calledUnknown', values: {} });
  const keys = { paused: 'calledPaused', cycle: 'calledCycle', deep: 'calledDeep' } as const;
  throw new ExpressionError({ key: keys[found.state], values: { name: found.name } });
}

const hasFailed = ({ status }: CallBefore) => status === 'failed' || status === 'cancelled';

/** The run to go on with, in its version and with its input, as a run that somebody continues. */
async function readEarlier({ deps, run, claim }: RunExecution, step: SubWorkflowStep, path: string): Promise<CallBefore> {
  const earlier = await deps.store.readCallBefore(run, claim.attempt, path, step.version);
  if (earlier === null) throw new ExpressionError({ key: 'calledRunGone', values: {} });
  return earlier;
}

async function documentOf({ deps, run }: RunExecution, { versionId }: Found): Promise<VersionDocument> {
  const document = await deps.readDocument(run.workspaceId, versionId);
  if (document === null) throw new ExpressionError({ key: 'versionUnreadable', values: {} });
  return document;
}

/** Checked before anything starts: a form or an API would have refused the same. */
async function inputFor(
  execution: RunExecution,
  step: SubWorkflowStep,
  { name }: Found,
  document: VersionDocument,
): Promise<{ [key: string]: Json }> {
  const checked = checkRunInput(document, await mapValues(execution, step.input, inputJsonSchema(document.input) as Json));
  if (checked.ok) return checked.value;
  const fields = checked.issues.map(({ field }) => field).join(', ');
  throw new ExpressionError({ key: 'calledInput', values: { name, fields: fields.slice(0, 200) } });
}

function resultOf(execution: RunExecution, step: SubWorkflowStep, path: string, called: CalledRun | null): Outcome {
  const startedAt = execution.deps.clock.now();
  if (called === null) return failStep(execution, step, path, { key: 'calledRunGone', values: {} }, startedAt);
  if (called.status === 'failed' || called.status === 'cancelled') {
    const key = called.status === 'failed' ? 'calledRunFailed' : 'calledRunCancelled';
    return failStep(execution, step, path, { key, values: {} }, startedAt);
  }
  if (called.status !== 'completed') return WAIT;
  const begun = execution.journal.get(path)?.reason;
  const reason = called.changed && begun != null ? { ...begun, values: { ...begun.values, changed: true } } : null;
  writeLocal(execution, step, path, { status: 'success', reason, output: called.output, startedAt });
  return succeedWith(execution, step, called.output, called.changed);
}

/** `changed`: somebody has put other data into that run. */
function succeedWith(execution: RunExecution, step: SubWorkflowStep, output: Json, changed: boolean): Outcome {
  const outcome = succeed(execution, step, output);
  if (changed) countAsHigh(execution, step);
  return outcome;
}

function failStep(execution: RunExecution, step: SubWorkflowStep, path: string, why: Explanation, startedAt: Date): Outcome {
  writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
  return fail(execution, step, path, why);
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
