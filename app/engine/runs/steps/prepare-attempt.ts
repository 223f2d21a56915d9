import type { Json } from '#app/contracts/json.ts';
import type { RunError } from '#app/domain/runs/run-state.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { Route } from '#app/engine/routing/route.ts';
import { ExpressionError } from '#app/engine/runs/expressions/evaluate.ts';
import type { RunConfig, RunConnection } from '#app/engine/runs/run-config.ts';
import { isChanged } from '#app/engine/runs/run-execution.ts';
import type { Activity } from '#app/engine/runs/steps/activity.ts';
import { inputFault, mapInput } from '#app/engine/runs/steps/call-input.ts';
import { receivedInput } from '#app/engine/runs/steps/call-kinds.ts';
import { chooseTarget } from '#app/engine/runs/steps/choose-target.ts';
import { type Decided, decideCall, readOutside } from '#app/engine/runs/steps/decide-call.ts';

/** All that an attempt needs before it may start. */
export type Prepared = {
  config: RunConfig;
  routed: Route;
  target: RoutableCapability;
  connection: RunConnection;
  input: { [key: string]: Json };
  decision: Decided;
};

/** Chooses the target, makes the input and has the call judged; or says why there is nothing to start. */
export async function prepareAttempt(activity: Activity, config: RunConfig): Promise<Prepared | { refused: RunError; routed: Route }> {
  const { execution, step, progress, given } = activity;
  const routed = chooseTarget(execution, config, step, progress);
  const target = routed.chosen;
  const connection = target === null ? undefined : config.connections.get(target.connectionId);
  if (target === null || connection === undefined) return { refused: { key: routed.reason.key, values: routed.reason.values }, routed };
  const refusal = connection.paused
    ? { key: 'connectionPaused', values: { connection: connection.name } }
    : (given?.refuse(config) ?? null);
  if (refusal !== null) return { refused: refusal, routed };
  const leftOut: string[] = [];
  try {
    const made = progress.input ?? receivedInput(step, given?.input ?? (await mapInput(execution, step, target.inputSchema, leftOut)));
    const outside = await readOutside(activity, config, made);
    const decision = decideCall(activity, config, { target, connection, outside }, made);
    const { input } = decision;
    progress.input = input;
    if (isChanged(progress)) routed.reason = { ...routed.reason, values: { ...routed.reason.values, changed: true } };
    if (leftOut.length > 0) routed.reason = { ...routed.reason, values: { ...routed.reason.values, leftOut: leftOut.sort().join(', ') } };
    return { config, routed, target, connection, input, decision };
  } catch (error) {
    const why = error instanceof ExpressionError ? error.explanation : inputFault(error);
    if (why === null) throw error;
    return { refused: why, routed };
  }
}
