import { z } from 'zod';

/** `shown`: digest of the data whose difference was shown; only that is started. */
export const changeSchema = z.object({
  data: z.string({ error: 'required' }).min(1),
  key: z.uuid(),
  shown: z.string().max(64).default(''),
  intent: z.enum(['compare', 'start']).default('compare'),
});
