import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { credentialOf } from '#app/features/connections/connect/connect-schema.ts';

export const rotateSchema = z.object({
  token: credentialOf('token or header').min(1),
  /** Asked for where another person agrees. */
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
});
