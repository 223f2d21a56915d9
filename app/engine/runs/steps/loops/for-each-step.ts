import type { Json } from '#app/contracts/json.ts';
import { sumRiskFacts } from '#app/domain/runs/risk.ts';
import type { RunError } from '#app/domain/runs/run-state.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { LOOP_MAX_ITEMS } from '#app/domain/workflows/steps/for-each-step.ts';
import type { ForEachStep } from '#app/domain/workflows/steps/step.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, forkContained, type Outcome, type RunExecution, STOP, succeed, WAIT, writeLocal } from '#app/engine/runs/run-execution.ts';
import { leaveOpen } from '#app/engine/runs/steps/errors/leave-open.ts';
import {
  beginLoop,
  countItem,
  type LoopProgress,
  loopOutput,
  resultsTooLarge,
  writeManyPending,
} from '#app/engine/runs/steps/loops/loop-progress.ts';
import type { RunSequence } from '#app/engine/runs/steps/step-runner.ts';
import { runWithCallbacks } from '#app/engine/runs/steps/wait-step.ts';

type Loop = {
  execution: RunExecution;
  step: ForEachStep;
  path: string;
  items: Json[];
  progress: LoopProgress;
  runSequence: RunSequence;
};

/** Runs its steps for each item of a list. The list is written before an item begins: a later walk must not make another one. */
export async function runForEachStep(execution: RunExecution, step: ForEachStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  const end = (error: RunError): Outcome => {
    writeLocal(execution, step, path, { status: 'error', error, startedAt });
    return fail(execution, step, path, error);
  };
  let items = frozenItems(execution, path);
  if (items === null) {
    try {
      items = listOf(await evaluate(stripMark(step.items), execution.scope));
    } catch (error) {
      return end(explanationOf(error));
    }
    const reason = { key: 'forEach', values: { count: items.length, atOnce: step.atOnce } };
    writeLocal(execution, step, path, { status: 'processing', reason, input: { items }, startedAt });
  }
  const loop = { execution, step, path, items, progress: beginLoop(execution.loops.get(path)), runSequence };
  const waits = await runItems(loop);
  if (execution.stop !== null) return STOP;
  if (waits) return WAIT;
  const { progress } = loop;
  const error = (step.onItemError === 'stop' ? progress.error?.error : null) ?? resultsTooLarge(progress);
  if (error !== null) return end({ key: error.key, values: error.values });
  const output = await loopOutput(execution, path, progress);
  writeLocal(execution, step, path, { status: 'success', output, startedAt });
  return succeed(execution, step, output);
}

function frozenItems({ journal }: RunExecution, path: string): Json[] | null {
  const input = journal.get(path)?.input;
  return typeof input === 'object' && input !== null && !Array.isArray(input) && Array.isArray(input.items) ? input.items : null;
}

function listOf(value: Json): Json[] {
  if (!Array.isArray(value)) throw new ExpressionError({ key: 'notAList', values: {} });
  if (value.length > LOOP_MAX_ITEMS)
    throw new ExpressionError({ key: 'tooManyItems', values: { count: value.length, limit: LOOP_MAX_ITEMS } });
  return value;
}

/** As many items at once as the step says, in the order of the list. Returns whether an item waits. One that waits keeps its place. */
async function runItems(loop: Loop): Promise<boolean> {
  const { execution, step, path, items, progress } = loop;
  let next = 0;
  let waits = false;
  const take = (): number | null => {
    for (; next < items.length; next += 1) {
      const mayBegin = (step.onItemError === 'continue' || progress.error === null) && resultsTooLarge(progress) === null;
      if (!progress.hadEnded(next) && (mayBegin || execution.journal.has(`${path}/${next}`))) return next++;
    }
    return null;
  };
  const lane = async (): Promise<void> => {
    while (execution.stop === null) {
      const index = take();
      if (index === null) return;
      const outcome = await runItem(loop, index);
      if (outcome.kind === 'wait') waits = true;
      if (outcome.kind !== 'done') return;
      await writeManyPending(execution);
    }
  };
  await Promise.all(Array.from({ length: Math.min(step.atOnce, items.length) }, lane));
  return waits;
}

/** `done`: the item has ended, well or badly. */
async function runItem({ execution, step, path, items, progress, runSequence }: Loop, index: number): Promise<Outcome> {
  const place = `${path}/${index}`;
  const startedAt = execution.deps.clock.now();
  const inner = step.branches[0]?.steps ?? [];
  const own = forkContained(execution, { item: items[index] ?? null, index, ...runWithCallbacks(execution, inner, place) });
  const begun = { key: 'loopItem', values: { item: index + 1 } };
  if (!execution.journal.has(place)) writeLocal(execution, step, place, { status: 'processing', reason: begun, startedAt });
  const outcome = await runSequence(own, inner, place);
  let error = own.failure();
  if (outcome.kind === 'wait') return execution.stop === null ? WAIT : STOP;
  if (outcome.kind === 'stop' && error === null) return STOP;
  let output: Json = null;
  if (error === null && outcome.kind === 'done') {
    try {
      output = step.collect.trim() === '' ? outcome.output : await evaluate(stripMark(step.collect), own.scope);
    } catch (fault) {
      error = explanationOf(fault);
    }
  }
  const { risk, findings } = sumRiskFacts([...own.facts].filter(([id]) => !execution.facts.has(id)).map(([, facts]) => facts));
  const reason = { key: begun.key, values: { ...begun.values, risk, findings } };
  writeLocal(execution, step, place, { status: error === null ? 'success' : 'error', reason, output, error, startedAt });
  countItem(progress, { index, output, error, reason });
  if (error !== null) await leaveOpen(execution, own, place);
  return { kind: 'done', output };
}
