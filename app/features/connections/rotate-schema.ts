import { z } from 'zod';
import { CREDENTIAL } from '#app/features/connections/connect/connect-schema.ts';

export const rotateSchema = z.object({
  /** `token` in its name keeps it from ever being sent back to the browser. */
  token: z.string({ error: 'required' }).trim().min(1).max(8_000).regex(CREDENTIAL, 'connection.tokenShape'),
});
