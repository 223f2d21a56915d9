import { z } from 'zod';

/** `server` is a name of the operator's list: the command behind it is not the member's to choose. */
export const connectLocalSchema = z.object({
  name: z.string({ error: 'required' }).trim().min(1).max(120),
  server: z.string({ error: 'required' }).max(40),
  description: z.string().trim().max(2_000).default(''),
});
