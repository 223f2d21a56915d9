import type { Family } from '#app/domain/metrics/exposition.ts';

/** Made by a worker since it began: each number only grows. Costs in millionths of a US dollar. */
export type RunCounts = {
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  stepsDone: number;
  stepsFailed: number;
  takenOver: number;
  tokensIn: number;
  tokensOut: number;
  costMicros: number;
};

export const NO_RUNS: RunCounts = Object.freeze({
  started: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  stepsDone: 0,
  stepsFailed: 0,
  takenOver: 0,
  tokensIn: 0,
  tokensOut: 0,
  costMicros: 0,
});

export function addCounts(some: RunCounts, others: RunCounts): RunCounts {
  const sums = Object.entries(others).map(([name, value]) => [name, some[name as keyof RunCounts] + value]);
  return Object.fromEntries(sums) as RunCounts;
}

/** The counts of one worker: Prometheus adds up those of all. */
export function describeRunCounts(counts: RunCounts): Family[] {
  const counter = (name: string, help: string, samples: Family['samples']): Family => ({ name, help, type: 'counter', samples });
  return [
    counter('quorate_runs_started_total', 'Runs that this process began to drive.', [{ value: counts.started }]),
    counter(
      'quorate_runs_ended_total',
      'Runs that this process brought to their end, by how they ended.',
      (['completed', 'failed', 'cancelled'] as const).map((status) => ({ labels: { status }, value: counts[status] })),
    ),
    counter('quorate_steps_total', 'Steps with an effect that ended in this process.', [
      { labels: { status: 'success' }, value: counts.stepsDone },
      { labels: { status: 'error' }, value: counts.stepsFailed },
    ]),
    counter('quorate_runs_taken_over_total', 'Runs taken over from workers that were lost.', [{ value: counts.takenOver }]),
    counter('quorate_model_tokens_total', 'Tokens of language models, read and written.', [
      { labels: { direction: 'in' }, value: counts.tokensIn },
      { labels: { direction: 'out' }, value: counts.tokensOut },
    ]),
    counter('quorate_model_cost_usd_total', 'Cost of language models with a known price.', [{ value: counts.costMicros / 1_000_000 }]),
  ];
}
