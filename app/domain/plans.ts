/** What each plan holds (product-spec section 9). `null`: unlimited. Executions are live runs in a UTC calendar month. */
export const PLANS = {
  starter: { agents: 5, workflows: 10, executions: 1000 },
  professional: { agents: 25, workflows: 50, executions: 10_000 },
  enterprise: { agents: null, workflows: null, executions: null },
} as const;
export type Plan = keyof typeof PLANS;

/** The plan in force: a trial that has ended leaves Starter. */
export function planInForce(workspace: { plan: Plan; trial_ends_at: Date | null }, now: Date): Plan {
  return workspace.trial_ends_at !== null && workspace.trial_ends_at <= now ? 'starter' : workspace.plan;
}
