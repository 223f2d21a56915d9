import { z } from 'zod';
import { CONTROL_VOTES } from '#app/contracts/statuses.ts';

/** A vote on a control change: with the password always, and with a reason to reject it. */
export const controlVoteSchema = z
  .object({
    vote: z.enum(CONTROL_VOTES, { error: 'chooseOne' }),
    reason: z.string().trim().max(2000).default(''),
    /** Digest of the change that the person was shown. */
    digest: z.string({ error: 'required' }).max(128),
    password: z.string({ error: 'required' }).max(1024),
  })
  .refine((value) => value.vote !== 'reject' || value.reason !== '', { path: ['reason'], error: 'rejectReason', when: () => true });
