import { assertNever } from '#app/domain/assert-never.ts';
import type { Explanation } from '#app/domain/runs/explanation.ts';
import type { Json } from '#app/domain/tables.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/agent.ts';
import {
  type Branch,
  type BranchStep,
  type Step,
  type TransformStep,
  type WorkflowDocument,
  walkSteps,
} from '#app/domain/workflows/workflow.ts';
import { stripMark } from '#app/domain/workflows/workflow-check.ts';
import { type Drive, fail, holdApart, type Outcome, recall, STOP, succeed, WAIT, writeLocal } from '#app/engine/runs/drive.ts';
import { ExpressionError, evaluate } from '#app/engine/runs/expressions/evaluate.ts';
import { walkAgent } from '#app/engine/runs/steps/agent-step.ts';
import { walkApproval } from '#app/engine/runs/steps/approval-step.ts';
import { walkEffect } from '#app/engine/runs/steps/effect-step.ts';

/**
 * Walks a document from its first step. What the journal knows is recalled, the rest is done; the same walk is made again
 * after a wait, a kill or a takeover, and comes to the same point.
 */
export async function walkDocument(drive: Drive, document: WorkflowDocument): Promise<Outcome> {
  const outcome = await walkSequence(drive, document.steps, '');
  if (outcome.kind !== 'done' || document.output.trim() === '') return outcome;
  try {
    return { kind: 'done', output: await evaluate(stripMark(document.output), drive.scope) };
  } catch (error) {
    drive.stop ??= { kind: 'failed', error: { ...explanationOf(error), step: '' } };
    return STOP;
  }
}

async function walkSequence(drive: Drive, steps: readonly Step[], prefix: string): Promise<Outcome> {
  let last: Json = null;
  for (const step of steps) {
    if (drive.stop !== null) return STOP;
    const outcome = await walkStep(drive, step, prefix === '' ? step.id : `${prefix}/${step.id}`);
    if (outcome.kind !== 'done') return outcome;
    last = outcome.output;
  }
  return { kind: 'done', output: last };
}

async function walkStep(drive: Drive, step: Step, path: string): Promise<Outcome> {
  if (step.kind === 'branch') return step.mode === 'parallel' ? walkParallel(drive, step, path) : walkChoice(drive, step, path);
  const known = recall(drive, step, path);
  if (known !== null) return known;
  switch (step.kind) {
    case 'transform':
      return walkTransform(drive, step, path);
    case 'approval':
      return walkApproval(drive, step, path);
    case 'agent':
      return step.connection === AUTHORED_AGENTS ? walkAgent(drive, step, path) : walkEffect(drive, step, path);
    case 'tool':
    case 'model':
      return walkEffect(drive, step, path);
    default:
      return assertNever(step);
  }
}

async function walkTransform(drive: Drive, step: TransformStep, path: string): Promise<Outcome> {
  const startedAt = drive.deps.clock.now();
  try {
    const output = await evaluate(stripMark(step.expression), drive.scope);
    writeLocal(drive, step, path, { status: 'success', output, startedAt });
    return succeed(drive, step, output);
  } catch (error) {
    const why = explanationOf(error);
    writeLocal(drive, step, path, { status: 'error', error: why, startedAt });
    return fail(drive, step, path, why);
  }
}

/** The choice is written before a step of it starts: a later walk, which knows more, must not choose anew. */
async function walkChoice(drive: Drive, step: BranchStep, path: string): Promise<Outcome> {
  const row = drive.journal.get(path);
  const startedAt = drive.deps.clock.now();
  let taken: Branch | null;
  if (row === undefined) {
    try {
      taken = await firstTrue(drive, step);
    } catch (error) {
      const why = explanationOf(error);
      writeLocal(drive, step, path, { status: 'error', error: why, startedAt });
      return fail(drive, step, path, why);
    }
    const reason = choiceReason(taken);
    writeLocal(drive, step, path, { status: 'processing', reason, input: { taken: taken?.label ?? null }, startedAt });
  } else {
    if (row.status === 'error') return fail(drive, step, path, row.error ?? { key: 'stepFailed', values: {} });
    const label = typeof row.input === 'object' && row.input !== null && !Array.isArray(row.input) ? row.input.taken : null;
    taken = step.branches.find((branch) => branch.label === label) ?? null;
  }
  skipOthers(drive, step, path, taken, startedAt);
  const outcome =
    taken === null ? ({ kind: 'done', output: null } as const) : await walkSequence(drive, taken.steps, `${path}/${taken.label}`);
  if (outcome.kind !== 'done') return outcome;
  const output = { branch: taken?.label ?? null, output: outcome.output };
  endBranch(drive, step, path, output, startedAt, choiceReason(taken));
  return succeed(drive, step, output);
}

async function firstTrue(drive: Drive, step: BranchStep): Promise<Branch | null> {
  for (const branch of step.branches) {
    const when = stripMark(branch.when);
    if (when === '' || isTrue(await evaluate(when, drive.scope))) return branch;
  }
  return null;
}

/** As JSONata casts to boolean: empty texts, lists and objects, zero and null are false. */
function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function skipOthers(drive: Drive, step: BranchStep, path: string, taken: Branch | null, startedAt: Date): void {
  for (const branch of step.branches) {
    if (branch === taken) continue;
    for (const skipped of walkSteps(branch.steps, `${path}/${branch.label}`)) {
      drive.scope.steps[skipped.step.id] = null;
      if (drive.journal.has(skipped.path)) continue;
      const reason: Explanation =
        taken === null ? { key: 'branchNone', values: {} } : { key: 'branchNotTaken', values: { branch: taken.label } };
      writeLocal(drive, skipped.step, skipped.path, { status: 'skipped', reason, startedAt });
    }
  }
}

async function walkParallel(drive: Drive, step: BranchStep, path: string): Promise<Outcome> {
  const startedAt = drive.deps.clock.now();
  const reason = { key: 'branchParallel', values: { count: step.branches.length } };
  if (!drive.journal.has(path))
    writeLocal(drive, step, path, {
      status: 'processing',
      reason,
      input: { taken: step.branches.map((branch) => branch.label) },
      startedAt,
    });
  // a branch that stops lets the others finish the step they are in; none of them starts another
  const apart = step.branches.map((branch) => ({ branch, own: holdApart(drive) }));
  const outcomes = await Promise.all(apart.map(({ branch, own }) => walkSequence(own, branch.steps, `${path}/${branch.label}`)));
  for (const { own } of apart) Object.assign(drive.scope.steps, own.scope.steps);
  if (drive.stop !== null) return STOP;
  if (outcomes.some((outcome) => outcome.kind !== 'done')) return WAIT;
  const output = Object.fromEntries(step.branches.map((branch, index) => [branch.label, outputOf(outcomes[index])]));
  endBranch(drive, step, path, output, startedAt, reason);
  return succeed(drive, step, output);
}

function endBranch(drive: Drive, step: BranchStep, path: string, output: Json, startedAt: Date, reason: Explanation): void {
  if (drive.journal.get(path)?.status === 'success') return;
  const input = drive.journal.get(path)?.input ?? drive.unwritten.get(path)?.input ?? null;
  writeLocal(drive, step, path, { status: 'success', reason, input, output, startedAt });
}

function outputOf(outcome: Outcome | undefined): Json {
  return outcome?.kind === 'done' ? outcome.output : null;
}

function choiceReason(taken: Branch | null): Explanation {
  return taken === null ? { key: 'branchNone', values: {} } : { key: 'branchTaken', values: { branch: taken.label } };
}

function explanationOf(error: unknown): Explanation {
  if (error instanceof ExpressionError) return error.explanation;
  throw error;
}
