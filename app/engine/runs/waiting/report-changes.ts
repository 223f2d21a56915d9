import type { RunChange, RunEnd } from '#app/contracts/runs.ts';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import { mergeChange, type RunChanges, type RunEnds } from '#app/domain/runs/run-change.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';

export type ReportChange = (runId: string, change: RunChange, end?: RunEnd) => void;

/** The same store, which reports each change of a run once it is committed. */
export function reportingStore(store: RunStore, report: ReportChange): RunStore {
  const reporting =
    <Args extends [{ runId: string }, ...unknown[]], Answer>(
      call: (...args: Args) => Promise<Answer>,
      changeOf: (answer: Answer, args: Args) => RunChange | null,
    ) =>
    async (...args: Args): Promise<Answer> => {
      const answer = await call(...args);
      const change = changeOf(answer, args);
      if (change !== null) report(args[0].runId, change);
      return answer;
    };
  return {
    ...store,
    claim: reporting(store.claim, changeOfClaim),
    startStep: reporting(store.startStep, () => 'journal'),
    askApproval: reporting(store.askApproval, () => 'journal'),
    askOutcome: reporting(store.askOutcome, () => 'journal'),
    settleOutcome: reporting(store.settleOutcome, () => 'journal'),
    finishStep: reporting(store.finishStep, () => 'journal'),
    journal: reporting(store.journal, () => 'journal'),
    askHumanTask: reporting(store.askHumanTask, () => 'journal'),
    leaveSteps: reporting(store.leaveSteps, () => 'journal'),
    beginCleanup: reporting(store.beginCleanup, () => 'journal'),
    suspend: reporting(store.suspend, ({ state }) => (state === 'parked' ? 'waiting' : null)),
    close: async (run, attempt, close) => {
      const answer = await store.close(run, attempt, close);
      if (answer.state === 'closed') {
        const { status, output, error } = close as unknown as Omit<RunEnd, 'finishedAt'>;
        report(run.runId, status, answer.at === undefined ? undefined : { status, output, error, finishedAt: new Date(answer.at) });
      }
      return answer;
    },
  };
}

export function changeOfClaim({ claim: { state } }: ClaimAnswer): RunChange | null {
  if (state === 'claimed') return 'processing';
  return state === 'halted' || state === 'full' ? 'unknown' : null;
}

/** Nobody acts on these: who watches a run sees them this much later, and most have been followed by more by then. */
const STEADY: ReadonlySet<RunChange> = new Set<RunChange>(['processing', 'journal', 'text']);
const STEADY_MS = 5;

/**
 * Gathers reports, so that a busy worker announces many changes at the cost of one: what somebody waits for is told at the end of the turn
 * of the event loop, with all that was gathered until then.
 */
export function collectChanges(tell: (changes: RunChanges, ends: RunEnds) => void): ReportChange {
  let gathered = new Map<string, RunChange>();
  let ends = new Map<string, RunEnd>();
  let isSoon = false;
  let later: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(later);
    later = undefined;
    isSoon = false;
    const told = [gathered, ends] as const;
    gathered = new Map();
    ends = new Map();
    tell(...told);
  }
  return (runId, change, end) => {
    gathered.set(runId, mergeChange(gathered.get(runId), change));
    if (end !== undefined) ends.set(runId, end);
    if (isSoon) return;
    if (STEADY.has(change)) {
      later ??= setTimeout(flush, STEADY_MS);
      return;
    }
    isSoon = true;
    setImmediate(flush);
  };
}
