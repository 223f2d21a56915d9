import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { flushPending, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';
import type { Activity } from '#app/engine/runs/steps/activity.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import type { Prepared } from '#app/engine/runs/steps/prepare-attempt.ts';

/** A dry run goes through the whole flow and calls nothing that writes. The database refuses such a call of one, too. */
export const isDry = ({ claim }: RunExecution): boolean => claim.trial?.kind === 'dry';

/** How a step of a dry run came to its output: it was called; or that is a pinned one, the newest run's, or none. */
type From = 'called' | 'pinned' | 'run' | 'nothing';

function outputInstead({ claim }: RunExecution, id: string): { output: Json; from: From } {
  const { outputs = {}, pinned = [] } = claim.trial ?? {};
  if (!Object.hasOwn(outputs, id)) return { output: null, from: 'nothing' };
  return { output: outputs[id] ?? null, from: pinned.includes(id) ? 'pinned' : 'run' };
}

/**
 * Notes a step that asks people, waits or the like, and does not do it. `output`: as the step would give it; without it, the pinned one or that of
 * the newest run.
 */
export function noteLocally(
  execution: RunExecution,
  step: Step,
  path: string,
  { reason, input, output }: { reason: Explanation; input: Json; output?: Json },
): Outcome {
  const instead = output === undefined ? outputInstead(execution, step.id) : null;
  const given = instead?.output ?? output ?? null;
  const why = instead === null ? reason : { key: reason.key, values: { ...reason.values, dry: instead.from } };
  writeLocal(execution, step, path, { status: 'skipped', reason: why, input, output: given, startedAt: execution.deps.clock.now() });
  return succeed(execution, step, given);
}

const GOES_AHEAD: ReadonlySet<string> = new Set(['allow', 'warn', 'transform']);

/**
 * Whether an attempt of a dry run is carried out: a call that policies let go ahead, of a capability that is declared to only read, and for
 * which no output is pinned. So is one that policies deny: it is refused as ever.
 */
export function isCarriedOut({ execution, step }: Activity, { target, config, decision, routed }: Prepared): boolean {
  const { verdict } = decision.row;
  if (!GOES_AHEAD.has(verdict)) return verdict !== 'require_approval';
  if (!config.reads.has(target.id) || execution.claim.trial?.pinned.includes(step.id) === true) return false;
  routed.reason = { ...routed.reason, values: { ...routed.reason.values, dry: 'called' } };
  return true;
}

/** Writes what a call would be and what policies say of it, and goes on with the output that stands in for its own. */
export async function noteCall(activity: Activity, prepared: Prepared, row: { [key: string]: Json }): Promise<Outcome | { stale: number }> {
  const { execution, step } = activity;
  const { deps, run, claim } = execution;
  const { output, from } = outputInstead(execution, step.id);
  const asks = prepared.decision.row.verdict === 'require_approval';
  const reason = { ...prepared.routed.reason, values: { ...prepared.routed.reason.values, dry: from, ...(asks && { dryAsks: true }) } };
  const noted = { ...row, reason, outputDigest: output === null ? null : digestOf(output) };
  const answer = await deps.store.noteStep(run, claim.attempt, prepared.config.revision, noted, output, flushPending(execution));
  if (answer.state === 'stale') return { stale: answer.revision };
  if (answer.state === 'noted') return succeed(execution, step, output);
  execution.stop ??= { kind: answer.state };
  return STOP;
}
