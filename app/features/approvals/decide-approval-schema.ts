import { z } from 'zod';

/** `highRisk`: who decides proves with their password that it is them. */
export function decideApprovalSchema(highRisk: boolean) {
  return z
    .object({
      vote: z.enum(['approve', 'reject'], { error: 'chooseOne' }),
      reason: z.string().trim().max(2000).default(''),
      /** Digest of the action that the person was shown. */
      digest: z.string({ error: 'required' }).max(128),
      password: highRisk ? z.string({ error: 'required' }).max(1024) : z.string().max(1024).optional(),
    })
    .refine((value) => value.vote !== 'reject' || value.reason !== '', {
      path: ['reason'],
      error: 'rejectReason',
      // Also beside a missing password: whoever decides is told everything at once.
      when: () => true,
    });
}
