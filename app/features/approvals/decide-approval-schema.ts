import { z } from 'zod';
import { proofFields } from '#app/components/form/proof/proof-schema.ts';
import { ASKED_MEANINGS, type Vote } from '#app/contracts/statuses.ts';

const ACTION_VOTES: readonly Vote[] = ['approve', 'reject'];
const OUTCOME_VOTES: readonly Vote[] = ['done', 'again', 'reject'];

/** `outcome`: what became of a call is asked, not whether to make it. */
export function decideApprovalSchema(outcome = false) {
  return z
    .object({
      vote: z.enum(outcome ? OUTCOME_VOTES : ACTION_VOTES, { error: 'chooseOne' }),
      reason: z.string().trim().max(2000).default(''),
      /** Digest of the action that the person was shown. */
      digest: z.string({ error: 'required' }).max(128),
      /** The member whose duty it was where the person looked. */
      seen: z.string().max(64).default(''),
      /** What an approval states; without it, what is asked for, or that it is approved. */
      meaning: z.enum(ASKED_MEANINGS).optional(),
      ...proofFields,
    })
    .refine((value) => value.vote !== 'reject' || value.reason !== '', {
      path: ['reason'],
      error: 'rejectReason',
      // Reported beside a missing password as well: all faults at once.
      when: () => true,
    });
}
