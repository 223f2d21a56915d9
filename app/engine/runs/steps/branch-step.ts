import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Branch, BranchStep } from '#app/domain/workflows/steps/step.ts';
import { evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, forkExecution, type Outcome, type RunExecution, STOP, succeed, WAIT, writeLocal } from '#app/engine/runs/run-execution.ts';
import type { RunSequence } from '#app/engine/runs/steps/step-runner.ts';

/** Takes one of its branches, or all of them at once. */
export function runBranchStep(execution: RunExecution, step: BranchStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  return step.mode === 'parallel' ? runParallel(execution, step, path, runSequence) : runChoice(execution, step, path, runSequence);
}

/** The choice is written before a step of it starts: a later walk, which knows more, must not choose again. */
async function runChoice(execution: RunExecution, step: BranchStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  const row = execution.journal.get(path);
  const startedAt = execution.deps.clock.now();
  let taken: Branch | null;
  if (row === undefined) {
    try {
      taken = await firstTrue(execution, step);
    } catch (error) {
      const why = explanationOf(error);
      writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
      return fail(execution, step, path, why);
    }
    const reason = choiceReason(taken);
    writeLocal(execution, step, path, { status: 'processing', reason, input: { taken: taken?.label ?? null }, startedAt });
  } else {
    if (row.status === 'error') return fail(execution, step, path, row.error ?? { key: 'stepFailed', values: {} });
    const label = typeof row.input === 'object' && row.input !== null && !Array.isArray(row.input) ? row.input.taken : null;
    taken = step.branches.find((branch) => branch.label === label) ?? null;
  }
  skipOthers(execution, step, path, taken, startedAt);
  const outcome =
    taken === null ? ({ kind: 'done', output: null } as const) : await runSequence(execution, taken.steps, `${path}/${taken.label}`);
  if (outcome.kind !== 'done') return outcome;
  const output = { branch: taken?.label ?? null, output: outcome.output };
  endBranch(execution, step, path, output, startedAt, choiceReason(taken));
  return succeed(execution, step, output);
}

async function firstTrue(execution: RunExecution, step: BranchStep): Promise<Branch | null> {
  for (const branch of step.branches) {
    const when = stripMark(branch.when);
    if (when === '' || isTrue(await evaluate(when, execution.scope))) return branch;
  }
  return null;
}

/** As JSONata casts to boolean: empty texts, lists and objects, zero and null are false. */
function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function skipOthers(execution: RunExecution, step: BranchStep, path: string, taken: Branch | null, startedAt: Date): void {
  for (const branch of step.branches) {
    if (branch === taken) continue;
    for (const skipped of walkSteps(branch.steps, `${path}/${branch.label}`)) {
      execution.scope.steps[skipped.step.id] = null;
      if (execution.journal.has(skipped.path)) continue;
      const reason: Explanation =
        taken === null ? { key: 'branchNone', values: {} } : { key: 'branchNotTaken', values: { branch: taken.label } };
      writeLocal(execution, skipped.step, skipped.path, { status: 'skipped', reason, startedAt });
    }
  }
}

async function runParallel(execution: RunExecution, step: BranchStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  const reason = { key: 'branchParallel', values: { count: step.branches.length } };
  if (!execution.journal.has(path))
    writeLocal(execution, step, path, {
      status: 'processing',
      reason,
      input: { taken: step.branches.map((branch) => branch.label) },
      startedAt,
    });
  // when a branch stops, the others finish their present step and start no other
  const apart = step.branches.map((branch) => ({ branch, own: forkExecution(execution) }));
  const outcomes = await Promise.all(apart.map(({ branch, own }) => runSequence(own, branch.steps, `${path}/${branch.label}`)));
  for (const { own } of apart) Object.assign(execution.scope.steps, own.scope.steps);
  if (execution.stop !== null) return STOP;
  if (outcomes.some((outcome) => outcome.kind !== 'done')) return WAIT;
  const output = Object.fromEntries(step.branches.map((branch, index) => [branch.label, outputOf(outcomes[index])]));
  endBranch(execution, step, path, output, startedAt, reason);
  return succeed(execution, step, output);
}

function endBranch(execution: RunExecution, step: BranchStep, path: string, output: Json, startedAt: Date, reason: Explanation): void {
  if (execution.journal.get(path)?.status === 'success') return;
  const input = execution.journal.get(path)?.input ?? execution.pending.get(path)?.input ?? null;
  writeLocal(execution, step, path, { status: 'success', reason, input, output, startedAt });
}

function outputOf(outcome: Outcome | undefined): Json {
  return outcome?.kind === 'done' ? outcome.output : null;
}

function choiceReason(taken: Branch | null): Explanation {
  return taken === null ? { key: 'branchNone', values: {} } : { key: 'branchTaken', values: { branch: taken.label } };
}
