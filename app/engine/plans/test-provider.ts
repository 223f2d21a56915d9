import type { Plan } from '#app/contracts/people.ts';

/** The payment provider for plans. `charges` false: there is none, and every screen that leads to it says so. */
export type BillingProvider = {
  name: string;
  charges: boolean;
  /** Returns the reference of the agreed change, or that the payment was declined; then nothing may change. */
  agree(change: { workspaceId: string; from: Plan; to: Plan }): Promise<{ reference: string } | 'declined'>;
};

/** Answers as it is told to, and moves no money. */
export function createTestProvider(newId: () => string, answer: 'agreed' | 'declined'): BillingProvider {
  return { name: 'test', charges: false, agree: async () => (answer === 'declined' ? answer : { reference: `test-${newId()}` }) };
}
