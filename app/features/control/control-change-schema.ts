import { z } from 'zod';
import { proofFields } from '#app/components/form/proof/proof-schema.ts';
import { ASKED_MEANINGS, CONTROL_VOTES } from '#app/contracts/statuses.ts';

/** Break-glass: with a proof and a reason, for so many hours. */
export const breakGlassSchema = z.object({
  reason: z.string({ error: 'required' }).trim().min(1, 'required').max(1000),
  hours: z.coerce.number().int().min(1).max(24).default(1),
  digest: z.string({ error: 'required' }).max(128),
  ...proofFields,
});

/** A vote on a control change: with a proof always, and with a reason to reject it. */
export const controlVoteSchema = z
  .object({
    vote: z.enum(CONTROL_VOTES, { error: 'chooseOne' }),
    reason: z.string().trim().max(2000).default(''),
    /** Digest of the change that the person was shown. */
    digest: z.string({ error: 'required' }).max(128),
    /** What an agreement states. */
    meaning: z.enum(ASKED_MEANINGS).default('approved'),
    ...proofFields,
  })
  .refine((value) => value.vote !== 'reject' || value.reason !== '', { path: ['reason'], error: 'rejectReason', when: () => true });
