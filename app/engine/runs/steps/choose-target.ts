import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import { type Route, route } from '#app/engine/routing/route.ts';
import type { RunConfig } from '#app/engine/runs/run-config.ts';
import type { RunExecution } from '#app/engine/runs/run-execution.ts';
import type { Progress } from '#app/engine/runs/steps/activity.ts';

/** The target of the first attempt stays the target: the idempotency key means something to that peer alone. */
export function chooseTarget(execution: RunExecution, config: RunConfig, step: CallStep, progress: Progress): Route {
  const known = progress.capabilityId === null ? undefined : config.capabilities.get(progress.capabilityId);
  if (known !== undefined && progress.reason !== null)
    return { chosen: known, candidates: (progress.candidates ?? []) as unknown as Route['candidates'], reason: progress.reason };
  const began = performance.now();
  const routed = route(config.index, execution.deps.configs.records(execution.run.workspaceId), {
    step: step.kind,
    connection: step.connection,
    capability: step.capability,
    task: step.task === '' ? step.name : step.task,
    inputs: Object.keys(step.input).filter((name) => step.input[name]?.trim() !== ''),
  });
  const tookMs = Math.round((performance.now() - began) * 1_000) / 1_000;
  return { ...routed, reason: { ...routed.reason, values: { ...routed.reason.values, tookMs } } };
}
