import { z } from 'zod';

/** Empty: any number. */
export const limitsSchema = z.object({
  atOnce: z.number().int().min(1).max(9_999).optional(),
  aMinute: z.number().int().min(1).max(99_999).optional(),
});
