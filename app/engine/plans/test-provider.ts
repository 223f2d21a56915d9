import type { Plan } from '#app/domain/plans.ts';

/** Who takes the money for a plan. `charges` false: nobody does, and every screen that leads to it says so. */
export type BillingProvider = {
  name: string;
  charges: boolean;
  /** Answers the reference of the agreed change. */
  agree(change: { workspaceId: string; from: Plan; to: Plan }): Promise<{ reference: string }>;
};

/** Agrees to every change and moves no money. */
export function createTestProvider(newId: () => string): BillingProvider {
  return { name: 'test', charges: false, agree: async () => ({ reference: `test-${newId()}` }) };
}
