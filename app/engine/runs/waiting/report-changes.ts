import { mergeChange, type RunChange, type RunChanges } from '#app/domain/runs/run-change.ts';
import type { RunStatus } from '#app/domain/statuses.ts';
import type { Json } from '#app/domain/tables.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';

export type ReportChange = (runId: string, change: RunChange) => void;

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
    claim: reporting(store.claim, ({ claim: { state } }) =>
      state === 'claimed' ? 'processing' : state === 'halted' || state === 'full' ? 'unknown' : null,
    ),
    startStep: reporting(store.startStep, () => 'journal'),
    askApproval: reporting(store.askApproval, () => 'journal'),
    askOutcome: reporting(store.askOutcome, () => 'journal'),
    settleOutcome: reporting(store.settleOutcome, () => 'journal'),
    finishStep: reporting(store.finishStep, () => 'journal'),
    journal: reporting(store.journal, () => 'journal'),
    park: reporting(store.park, ({ state }) => (state === 'parked' ? 'waiting' : null)),
    close: reporting(store.close, ({ state }, [, , end]) => (state === 'closed' ? statusIn(end) : null)),
  };
}

const statusIn = (end: Json): RunChange => (end as { status: RunStatus }).status;

/** Gathers what is reported within one turn of the event loop, so that a busy worker tells many changes at the price of one. */
export function collectChanges(tell: (changes: RunChanges) => void): ReportChange {
  let gathered = new Map<string, RunChange>();
  return (runId, change) => {
    if (gathered.size === 0)
      setImmediate(() => {
        const changes = gathered;
        gathered = new Map();
        tell(changes);
      });
    gathered.set(runId, mergeChange(gathered.get(runId), change));
  };
}
