import type { Plan } from '#app/contracts/people.ts';

/** The limits of each plan. `null`: unlimited. Executions are live runs in a UTC calendar month. */
export const PLANS = {
  starter: { agents: 5, workflows: 10, executions: 1000 },
  professional: { agents: 25, workflows: 50, executions: 10_000 },
  enterprise: { agents: null, workflows: null, executions: null },
} as const;

/** The plan in force: a trial that has ended leaves Starter. */
export function planInForce(workspace: { plan: Plan; trial_ends_at: Date | null }, now: Date): Plan {
  return workspace.trial_ends_at !== null && workspace.trial_ends_at <= now ? 'starter' : workspace.plan;
}

export const PLAN_NAMES = Object.keys(PLANS) as Plan[];
/** US dollars a month; null: individually agreed. */
export const PLAN_PRICES: Record<Plan, number | null> = { starter: 99, professional: 299, enterprise: null };

export type Usage = { agents: number; workflows: number; executions: number };
export type Measure = keyof Usage;
export const MEASURES = ['agents', 'workflows', 'executions'] as const satisfies readonly Measure[];

/**
 * The parts of a usage that exceed a plan, with its limits. Executions do not keep anyone from changing: over them only new starts are
 * refused.
 */
export function beyondPlan(usage: Usage, plan: Plan): { measure: 'agents' | 'workflows'; used: number; limit: number }[] {
  return (['agents', 'workflows'] as const).flatMap((measure) => {
    const limit = PLANS[plan][measure];
    return limit !== null && usage[measure] > limit ? [{ measure, used: usage[measure], limit }] : [];
  });
}
