import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { TransformStep } from '#app/domain/workflows/steps/transform-step.ts';
import { evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, type Outcome, type RunExecution, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';

/** Computes a value within this process: nothing goes out. */
export async function runTransformStep(execution: RunExecution, step: TransformStep, path: string): Promise<Outcome> {
  const startedAt = execution.deps.clock.now();
  try {
    const output = await evaluate(stripMark(step.expression), execution.scope);
    writeLocal(execution, step, path, { status: 'success', output, startedAt });
    return succeed(execution, step, output);
  } catch (error) {
    const why = explanationOf(error);
    writeLocal(execution, step, path, { status: 'error', error: why, startedAt });
    return fail(execution, step, path, why);
  }
}
