/** Suggestions from a workspace's own runs: each with its evidence and its threshold. Pure. */

/** From when on a suggestion is made. They are shown beside the suggestions. */
export const SUGGESTION_LIMITS = {
  failingCalls: 5,
  failingShare: 0.2,
  betterShare: 0.05,
  approvals: 10,
  approvalDays: 14,
  retriedCalls: 10,
  retriedShare: 0.2,
  slowCalls: 10,
  slowMs: 10_000,
  slowShare: 0.5,
  unusedRuns: 20,
} as const;

export type StepPlace = { workflowId: string; workflow: string; path: string; name: string };
export type CapabilityResult = { capabilityId: string; capability: string; calls: number; errors: number };

export type SuggestionEvidence = {
  steps: (StepPlace & { count: number; errors: number; retried: number; p95Ms: number; activeMs: number })[];
  /** The call of each step, and the other candidates, with the records of their capabilities in the window. */
  calls: (StepPlace & CapabilityResult & { alternatives: CapabilityResult[] })[];
  approvals: (StepPlace & { approved: number; refused: number; days: number })[];
  unused: (StepPlace & { runs: number })[];
};

export type Suggestion = StepPlace &
  (
    | { kind: 'useOther'; calls: number; errors: number; capability: string; other: string; otherCalls: number; otherErrors: number }
    | { kind: 'failing'; calls: number; errors: number; capability: string }
    | { kind: 'alwaysApproved'; approved: number; days: number }
    | { kind: 'retried'; count: number; retried: number }
    | { kind: 'slow'; count: number; p95Ms: number; share: number }
    | { kind: 'unused'; runs: number }
  );

export function suggest(evidence: SuggestionEvidence): Suggestion[] {
  return [
    ...evidence.calls.flatMap(suggestTarget),
    ...evidence.approvals.flatMap(suggestApproval),
    ...evidence.steps.flatMap(suggestRetries),
    ...suggestSlow(evidence.steps),
    ...evidence.unused.flatMap(suggestUnused),
  ];
}

const L = SUGGESTION_LIMITS;
const placeOf = ({ workflowId, workflow, path, name }: StepPlace): StepPlace => ({ workflowId, workflow, path, name });

function suggestTarget(call: SuggestionEvidence['calls'][number]): Suggestion[] {
  if (call.calls < L.failingCalls || call.errors / call.calls < L.failingShare) return [];
  const better = call.alternatives
    .filter((other) => other.calls >= L.failingCalls && other.errors / other.calls <= L.betterShare)
    .sort((a, b) => a.errors / a.calls - b.errors / b.calls || b.calls - a.calls || (a.capability < b.capability ? -1 : 1))[0];
  const seen = { ...placeOf(call), calls: call.calls, errors: call.errors, capability: call.capability };
  if (better === undefined) return [{ ...seen, kind: 'failing' }];
  return [{ ...seen, kind: 'useOther', other: better.capability, otherCalls: better.calls, otherErrors: better.errors }];
}

function suggestApproval(row: SuggestionEvidence['approvals'][number]): Suggestion[] {
  if (row.refused > 0 || row.approved < L.approvals || row.days < L.approvalDays) return [];
  return [{ ...placeOf(row), kind: 'alwaysApproved', approved: row.approved, days: row.days }];
}

function suggestRetries(row: SuggestionEvidence['steps'][number]): Suggestion[] {
  if (row.count < L.retriedCalls || row.retried / row.count < L.retriedShare) return [];
  return [{ ...placeOf(row), kind: 'retried', count: row.count, retried: row.retried }];
}

/** Slow on its own, and most of what its workflow takes. */
function suggestSlow(rows: SuggestionEvidence['steps']): Suggestion[] {
  const whole = new Map<string, number>();
  for (const row of rows) whole.set(row.workflowId, (whole.get(row.workflowId) ?? 0) + row.activeMs);
  return rows.flatMap((row) => {
    const share = row.activeMs / Math.max(1, whole.get(row.workflowId) ?? 0);
    if (row.count < L.slowCalls || row.p95Ms < L.slowMs || share < L.slowShare) return [];
    return [{ ...placeOf(row), kind: 'slow' as const, count: row.count, p95Ms: row.p95Ms, share }];
  });
}

function suggestUnused(row: SuggestionEvidence['unused'][number]): Suggestion[] {
  return row.runs < L.unusedRuns ? [] : [{ ...placeOf(row), kind: 'unused', runs: row.runs }];
}
