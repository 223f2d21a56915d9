import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-subject.ts';

/** A change that another person may have to agree to: `reason` is for that person, and the command says where it is needed. */
export const askSchema = z.object({
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
  /** Of the draft that the author saw, where one is published. */
  revision: z.coerce.number().int().min(0).optional(),
});
