import { z } from 'zod';

/** The two commands of a list: keep its filters under a name, or drop a view. `command` says which. */
export const saveViewSchema = z.object({
  command: z.literal('save'),
  name: z.string({ error: 'required' }).trim().min(1).max(80),
  /** The filters, as the address carries them. */
  query: z.string().max(1_000),
  shared: z.boolean().default(false),
});
export const dropViewSchema = z.object({ command: z.literal('drop'), view: z.uuid() });
