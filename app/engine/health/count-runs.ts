import { NO_RUNS, type RunCounts } from '#app/domain/metrics/run-counts.ts';
import type { RunStore } from '#app/engine/runs/run-store.ts';

/** Counts what the process does with runs, from its beginning. `store`: the same one, counted by what it has committed. */
export function createRunCounter() {
  const counts: RunCounts = { ...NO_RUNS };
  return {
    read: (): RunCounts => ({ ...counts }),
    noteTakenOver(runs: number) {
      counts.takenOver += runs;
    },
    store: (store: RunStore): RunStore => ({
      ...store,
      async claim(...given) {
        const answer = await store.claim(...given);
        if (answer.claim.state === 'claimed' && answer.claim.attempt === 1) counts.started += 1;
        return answer;
      },
      async finishStep(...given) {
        const answer = await store.finishStep(...given);
        if (answer.state === 'ok') countStep(counts, given[3]);
        return answer;
      },
      async close(run, attempt, close) {
        const answer = await store.close(run, attempt, close);
        const { status } = close as { status: 'completed' | 'failed' | 'cancelled' };
        if (answer.state === 'closed' && answer.at !== undefined) counts[status] += 1;
        return answer;
      },
    }),
  };
}
export type RunCounter = ReturnType<typeof createRunCounter>;

function countStep(counts: RunCounts, { status, usage }: Parameters<RunStore['finishStep']>[3]): void {
  if (status === 'success') counts.stepsDone += 1;
  if (status === 'error') counts.stepsFailed += 1;
  counts.tokensIn += usage?.tokensIn ?? 0;
  counts.tokensOut += usage?.tokensOut ?? 0;
  counts.costMicros += usage?.costMicros ?? 0;
}
