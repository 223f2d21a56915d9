import type { Json } from '#app/contracts/json.ts';
import type { ApprovalStep } from '#app/domain/workflows/steps/approval-step.ts';
import { ExpressionError } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, flushPending, type Outcome, type RunExecution, resumeAt, STOP, succeed, WAIT } from '#app/engine/runs/run-execution.ts';
import type { ApprovalAnswer } from '#app/engine/runs/run-store.ts';
import { shownValues } from '#app/engine/runs/steps/call-input.ts';
import { actionDigest, digestOf } from '#app/engine/runs/steps/digest.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';
import { makeSentence } from '#app/engine/runs/texts/make-subject.ts';

/** Asks people, waits for them, and takes what they decided exactly once. */
export async function runApprovalStep(execution: RunExecution, step: ApprovalStep, path: string): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const open = execution.approvals.find((approval) => approval.id === execution.journal.get(path)?.approvalId);
  if (open?.status === 'pending' && new Date(open.dueAt) > deps.clock.now()) {
    resumeAt(execution, new Date(open.dueAt));
    return WAIT;
  }
  let input: { [key: string]: Json };
  try {
    input = await inputOf(execution, step, path);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    input = { question: step.question, show: {} };
    return failStep(execution, step, path, input, error.explanation);
  }
  if (isDry(execution)) {
    const output = { approved: true, approvers: [], shown: input.show ?? {} };
    return noteLocally(execution, step, path, { reason: { key: 'dryApproval', values: {} }, input, output });
  }
  const config = await deps.configs.get(run.workspaceId, execution.revision);
  const subject = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    stepPath: path,
    connection: null,
    capability: null,
    input,
    policyVersion: config.policies.policyVersion,
  };
  const digest = open?.digest ?? actionDigest(subject);
  const row = {
    path,
    stepId: step.id,
    kind: 'approval',
    name: step.name,
    attempt: 1,
    key: `${run.runId}/${path}`,
    reason: { key: 'approvalStep', values: {} },
    input,
    inputDigest: digestOf(input),
    actionDigest: digest,
    approval: {
      id: deps.newId(),
      eventId: deps.newId(),
      title: step.name,
      subject: { ...subject, question: step.question, show: input.show ?? {} },
      reason: { key: 'approvalStep', values: { step: step.name } },
      risk: step.risk,
      quorum: step.quorum,
      dueHours: step.dueHours,
      ...(step.meaning !== undefined && { meaning: step.meaning }),
    },
  };
  const answer = await deps.store.askApproval(run, claim.attempt, row, flushPending(execution));
  if (answer.state === 'fenced' || answer.state === 'halted' || answer.state === 'cancelled') {
    execution.stop ??= { kind: answer.state };
    return STOP;
  }
  if (answer.state === 'waiting') {
    resumeAt(execution, new Date(answer.dueAt));
    return WAIT;
  }
  if (answer.state === 'approved') {
    const approvers = (answer.votes ?? []).filter((vote) => vote.vote === 'approve').map((vote) => vote.name);
    const output = { approved: true, approvers, shown: input.show ?? {} };
    const finished = await deps.store.finishStep(
      run,
      claim.attempt,
      path,
      { status: 'success', output, outputDigest: digestOf(output) },
      flushPending(execution),
    );
    if (finished.state !== 'ok') {
      execution.stop ??= { kind: finished.state };
      return STOP;
    }
    return succeed(execution, step, output);
  }
  return failStep(execution, step, path, input, approvalRefusal(answer.state, answer));
}

/** Why an approval that is not one ends its step. */
export function approvalRefusal(
  state: 'rejected' | 'expired' | 'withdrawn',
  answer: ApprovalAnswer,
): { key: string; values: Record<string, string> } {
  if (state !== 'rejected') return { key: state === 'expired' ? 'approvalExpired' : 'approvalWithdrawn', values: {} };
  const rejection = answer.votes?.find((vote) => vote.vote === 'reject');
  if (rejection === undefined) return { key: 'approvalRejected', values: { name: '' } };
  return rejection.reason === ''
    ? { key: 'approvalRejected', values: { name: rejection.name } }
    : { key: 'approvalRejectedBecause', values: { name: rejection.name, reason: rejection.reason.slice(0, 500) } };
}

async function failStep(
  execution: RunExecution,
  step: ApprovalStep,
  path: string,
  input: Json,
  error: { key: string; values: Record<string, string | number | boolean> },
): Promise<Outcome> {
  const { deps, run, claim } = execution;
  if (!execution.journal.has(path) && execution.approvals.every((approval) => approval.path !== path)) {
    // nothing of it is in the journal yet
    const now = deps.clock.now().toISOString();
    execution.pending.set(path, {
      path,
      stepId: step.id,
      kind: 'approval',
      name: step.name,
      status: 'error',
      reason: null,
      input,
      output: null,
      error,
      inputDigest: digestOf(input),
      outputDigest: null,
      startedAt: now,
      finishedAt: now,
    });
  } else {
    const finished = await deps.store.finishStep(run, claim.attempt, path, { status: 'error', error }, flushPending(execution));
    if (finished.state !== 'ok') {
      execution.stop ??= { kind: finished.state };
      return STOP;
    }
  }
  return fail(execution, step, path, error);
}

/** Kept as first asked: what people looked at is what their decision is about. */
async function inputOf(execution: RunExecution, step: ApprovalStep, path: string): Promise<{ [key: string]: Json }> {
  const asked = execution.journal.get(path)?.input;
  if (typeof asked === 'object' && asked !== null && !Array.isArray(asked)) return asked;
  const sentence = step.sentence === undefined ? null : await makeSentence(step.sentence, execution.scope);
  return { question: step.question, show: await shownValues(execution, step.show), ...(sentence !== null && { sentence }) };
}
