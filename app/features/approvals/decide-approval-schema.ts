import { z } from 'zod';
import type { Vote } from '#app/contracts/statuses.ts';

const ACTION_VOTES: readonly Vote[] = ['approve', 'reject'];
const OUTCOME_VOTES: readonly Vote[] = ['done', 'again', 'reject'];

/** `highRisk`: who decides proves with their password that it is them. `outcome`: what became of a call is asked, not whether to make it. */
export function decideApprovalSchema(highRisk: boolean, outcome = false) {
  return z
    .object({
      vote: z.enum(outcome ? OUTCOME_VOTES : ACTION_VOTES, { error: 'chooseOne' }),
      reason: z.string().trim().max(2000).default(''),
      /** Digest of the action that the person was shown. */
      digest: z.string({ error: 'required' }).max(128),
      /** The member whose duty it was where the person looked. */
      seen: z.string().max(64).default(''),
      password: highRisk ? z.string({ error: 'required' }).max(1024) : z.string().max(1024).optional(),
    })
    .refine((value) => value.vote !== 'reject' || value.reason !== '', {
      path: ['reason'],
      error: 'rejectReason',
      // Reported beside a missing password as well: all faults at once.
      when: () => true,
    });
}
