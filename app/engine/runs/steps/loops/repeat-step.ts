import type { Json } from '#app/contracts/json.ts';
import { isRisk, sumRiskFacts } from '#app/domain/runs/risk.ts';
import type { EndedItem, RunError } from '#app/domain/runs/run-state.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { RepeatStep } from '#app/domain/workflows/steps/step.ts';
import { ExpressionError, evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import {
  fail,
  forkContained,
  type Outcome,
  type RunExecution,
  resumeAt,
  STOP,
  succeed,
  WAIT,
  writeLocal,
} from '#app/engine/runs/run-execution.ts';
import { isDry } from '#app/engine/runs/steps/dry/dry-run.ts';
import { leaveOpen } from '#app/engine/runs/steps/errors/leave-open.ts';
import { writeManyPending } from '#app/engine/runs/steps/loops/loop-progress.ts';
import type { RunSequence } from '#app/engine/runs/steps/step-runner.ts';
import { runWithCallbacks } from '#app/engine/runs/steps/wait-step.ts';

/** The output of a round's row, from which a later walk goes on. `next`: when the next round may begin (ISO 8601). */
type Round = { result: Json; done: boolean; next: string; risk: string; findings: number };

/**
 * Runs its steps round by round until the condition holds, or the rounds are used up. What a round came to is in the journal before the next one
 * begins: a later walk goes on behind it.
 */
export async function runRepeatStep(execution: RunExecution, step: RepeatStep, path: string, runSequence: RunSequence): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  const end = (error: RunError): Outcome => {
    writeLocal(execution, step, path, { status: 'error', error, startedAt });
    return fail(execution, step, path, error);
  };
  const limit = limitOf(execution, step, path);
  const begun = { key: 'repeat', values: { limit, each: step.rounds } };
  if (!execution.journal.has(path)) writeLocal(execution, step, path, { status: 'processing', reason: begun, startedAt });
  const { ok = 0, failed = 0 } = execution.loops.get(path) ?? {};
  let count = ok + failed;
  let last = count === 0 ? null : await readRound(execution, path, count - 1);
  for (;;) {
    if (last !== null && last.error !== null) return end({ key: last.error.key, values: last.error.values });
    const round = last === null ? null : (last.output as Round);
    if (round?.done === true || count >= limit) {
      if (round?.done !== true && step.atLimit === 'fail') return end({ key: 'repeatLimit', values: { limit } });
      const { done = false, result = null, risk = 'low', findings = 0 } = round ?? {};
      const output = { rounds: count, done, result, risk, findings };
      writeLocal(execution, step, path, { status: 'success', output, startedAt });
      return succeed(execution, step, output);
    }
    const next = round === null ? startedAt : new Date(round.next);
    if (next > execution.deps.clock.now()) {
      resumeAt(execution, next);
      return WAIT;
    }
    const outcome = await runRound({ execution, step, path, runSequence }, count, round);
    if (outcome.kind !== 'ended') return outcome;
    last = outcome.round;
    count += 1;
    await writeManyPending(execution);
    if (execution.stop !== null) return STOP;
  }
}

/** A run that continues one whose rounds were used up may make as many more. */
function limitOf({ journal }: RunExecution, step: RepeatStep, path: string): number {
  const limit = journal.get(path)?.reason?.values.limit;
  return typeof limit === 'number' ? limit : step.rounds;
}

async function readRound(execution: RunExecution, path: string, index: number): Promise<EndedItem | null> {
  const [round = null] = await execution.deps.store.readItems(execution.run, execution.claim.attempt, path, index, 1);
  return round;
}

type Repeat = { execution: RunExecution; step: RepeatStep; path: string; runSequence: RunSequence };

async function runRound(
  { execution, step, path, runSequence }: Repeat,
  index: number,
  before: Round | null,
): Promise<Outcome | { kind: 'ended'; round: EndedItem }> {
  const place = `${path}/${index}`;
  const startedAt = execution.deps.clock.now();
  const inner = step.branches[0]?.steps ?? [];
  const own = forkContained(execution, { index, last: before?.result ?? null, ...runWithCallbacks(execution, inner, place) });
  const begun = { key: 'repeatRound', values: { round: index + 1 } };
  if (!execution.journal.has(place)) writeLocal(execution, step, place, { status: 'processing', reason: begun, startedAt });
  const outcome = await runSequence(own, inner, place);
  let error = own.failure();
  if (outcome.kind === 'wait') return execution.stop === null ? WAIT : STOP;
  if (outcome.kind === 'stop' && error === null) return STOP;
  let output: Round | null = null;
  if (error === null && outcome.kind === 'done') {
    try {
      const done = await evaluate(stripMark(step.until), own.scope);
      if (typeof done !== 'boolean') throw new ExpressionError({ key: 'repeatNotBoolean', values: {} });
      const next = new Date(execution.deps.clock.now().getTime() + (isDry(execution) ? 0 : step.pauseSeconds * 1_000)).toISOString();
      output = { result: outcome.output, done, next, ...factsUntil(execution, own, before) };
    } catch (fault) {
      error = explanationOf(fault);
    }
  }
  writeLocal(execution, step, place, { status: error === null ? 'success' : 'error', output, error, startedAt });
  if (error !== null) await leaveOpen(execution, own, place);
  return { kind: 'ended', round: { index, output, error, reason: begun } };
}

/** Risk and findings of all rounds so far. */
function factsUntil(execution: RunExecution, own: RunExecution, before: Round | null): { risk: string; findings: number } {
  const found = [...own.facts].filter(([id]) => !execution.facts.has(id)).map(([, facts]) => facts);
  const earlier = before === null || !isRisk(before.risk) ? [] : [{ risk: before.risk, findings: before.findings }];
  return sumRiskFacts([...earlier, ...found]);
}
