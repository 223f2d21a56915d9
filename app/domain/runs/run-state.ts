import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ApprovalStatus, StepKind, StepStatus } from '#app/contracts/statuses.ts';

/**
 * Why a step or a run ended badly. `failures` counts the attempts that failed, `refusals` those that the peer refused for load, which are no
 * failures; a run names the step; `unknown`: the call may have taken effect, and was not made again for that.
 */
export type RunError = Explanation & { failures?: number; refusals?: number; step?: string; unknown?: true };

/** A row of the journal as a worker reads it when it takes over a run. Times are ISO 8601. */
export type JournalStep = {
  path: string;
  stepId: string;
  kind: StepKind;
  status: StepStatus;
  attempt: number;
  runAttempt: number;
  connectionId: string | null;
  capabilityId: string | null;
  candidates: Json | null;
  reason: Explanation | null;
  input: Json | null;
  output: Json | null;
  error: RunError | null;
  approvalId: string | null;
  nextAttemptAt: string | null;
  startedAt: string;
  tokensIn: number | null;
  tokensOut: number | null;
  costMicros: number | null;
};

/** A loop under way: what of it has ended, as ranges of items [from, to), and the first item that failed. */
export type LoopState = {
  path: string;
  ended: [number, number][];
  ok: number;
  failed: number;
  bytes: number;
  error: { index: number; error: RunError } | null;
};

/** An item of a loop that has ended, as the loop's own result is made from. */
export type EndedItem = { index: number; output: Json | null; error: RunError | null; reason: Explanation | null };

export type JournalApproval = { id: string; path: string; status: ApprovalStatus; digest: string; dueAt: string; approvedBy: string[] };

/** A step without an effect, on its way into the journal. */
export type LocalStep = {
  path: string;
  stepId: string;
  kind: StepKind;
  name: string;
  status: StepStatus;
  reason: Explanation | null;
  input: Json | null;
  output: Json | null;
  error: RunError | null;
  inputDigest: string | null;
  outputDigest: string | null;
  startedAt: string;
  finishedAt: string | null;
  /** The agent of the workspace that the step stands for. */
  agentId?: string;
};

/** Seconds until the next attempt after `failures` failed ones: doubles with each, one hour at most. */
export function backoffSeconds(firstSeconds: number, failures: number): number {
  return Math.min(3600, firstSeconds * 2 ** Math.max(0, Math.min(failures, 16) - 1));
}

/** Calls of a step that began and of which nothing is known, because their worker was killed. They do not count as failures. */
export function lostAttempts(attempt: number, error: RunError | null): number {
  return Math.max(0, attempt - (error?.failures ?? 0) - (error?.refusals ?? 0));
}
