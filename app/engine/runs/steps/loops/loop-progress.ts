import type { Json } from '#app/contracts/json.ts';
import { isRisk, type RiskFacts, sumRiskFacts } from '#app/domain/runs/risk.ts';
import type { EndedItem, LoopState, RunError } from '#app/domain/runs/run-state.ts';
import { VALUE_MAX_BYTES } from '#app/engine/runs/expressions/evaluate.ts';
import { flushPending, type RunExecution } from '#app/engine/runs/run-execution.ts';

/** Ended items that one statement reads. */
const ITEMS_AT_ONCE = 1_000;
/** Rows in hand that are written without waiting for the next call: a loop may make none. */
const PENDING_MAX = 400;

/** How far a loop is: as the journal knew at the claim, and on from there. */
export type LoopProgress = {
  ok: number;
  failed: number;
  /** Bytes (UTF-8) of the results so far, as JSON. */
  bytes: number;
  /** The item with the lowest number that failed. */
  error: { index: number; error: RunError } | null;
  /** Whether an item had ended when the run was claimed. */
  hadEnded(index: number): boolean;
  /** Items that ended since. */
  ended: Map<number, EndedItem>;
};

export function beginLoop(known: LoopState | undefined): LoopProgress {
  const { ok = 0, failed = 0, bytes = 0, error = null, ended = [] } = known ?? {};
  return { ok, failed, bytes, error, hadEnded: (index) => ended.some(([from, to]) => index >= from && index < to), ended: new Map() };
}

export function countItem(progress: LoopProgress, item: EndedItem): void {
  progress.ended.set(item.index, item);
  progress.bytes += Buffer.byteLength(JSON.stringify(resultOf(item)));
  if (item.error === null) progress.ok += 1;
  else {
    progress.failed += 1;
    if (progress.error === null || item.index < progress.error.index) progress.error = { index: item.index, error: item.error };
  }
}

/** One value has a limit, and all results together are one. */
export function resultsTooLarge(progress: LoopProgress): RunError | null {
  if (progress.bytes <= VALUE_MAX_BYTES) return null;
  return { key: 'loopResultsTooLarge', values: { size: progress.bytes, limit: VALUE_MAX_BYTES } };
}

/** The output of a loop whose items have all ended: results in the order of the list, and what a later decision weighs. */
export async function loopOutput(execution: RunExecution, path: string, progress: LoopProgress): Promise<Json> {
  const earlier = progress.ok + progress.failed - progress.ended.size;
  const all = new Map(progress.ended);
  for (let from = 0, read = 0; read < earlier; ) {
    const items = await execution.deps.store.readItems(execution.run, execution.claim.attempt, path, from, ITEMS_AT_ONCE);
    if (items.length === 0) break;
    // of this walk's own, some are written by now and some are not
    for (const item of items) if (!progress.ended.has(item.index)) all.set(item.index, item);
    read = all.size - progress.ended.size;
    from = (items.at(-1)?.index ?? from) + 1;
  }
  const ordered = [...all.values()].sort((a, b) => a.index - b.index);
  const { risk, findings } = sumRiskFacts(ordered.map(factsOf));
  return { count: ordered.length, ok: progress.ok, failed: progress.failed, results: ordered.map(resultOf), risk, findings };
}

/** A failed item gives its error, so that it is never taken for an item without a result. */
function resultOf({ output, error }: EndedItem): Json {
  return error === null ? output : { error: { key: error.key, values: error.values } };
}

function factsOf({ reason }: EndedItem): RiskFacts {
  const { risk, findings } = reason?.values ?? {};
  return { risk: isRisk(risk) ? risk : 'high', findings: typeof findings === 'number' ? findings : 0 };
}

/** Writes the rows in hand once there are many. Sets `stop` where the journal refuses them. */
export async function writeManyPending(execution: RunExecution): Promise<void> {
  if (execution.pending.size < PENDING_MAX) return;
  const { state } = await execution.deps.store.journal(execution.run, execution.claim.attempt, flushPending(execution));
  if (state !== 'ok') execution.stop ??= { kind: state };
  else if (execution.signal.aborted) execution.stop ??= { kind: 'cancelled' };
}
