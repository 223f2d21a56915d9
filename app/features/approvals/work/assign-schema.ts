import { z } from 'zod';

/** `to`: a member, '' for everyone who may decide. `seen`: whose duty it was on the page, '' for nobody's. */
export const assignSchema = z.object({
  act: z.enum(['assign', 'claim', 'return']),
  to: z.union([z.uuid(), z.literal('')]).default(''),
  seen: z.union([z.uuid(), z.literal('')]).default(''),
});
