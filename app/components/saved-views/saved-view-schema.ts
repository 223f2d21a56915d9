import { z } from 'zod';

/** The audit page's two commands: keep its filters under a name, or drop a view. `command` says which. */
export const saveViewSchema = z.object({
  command: z.literal('save'),
  name: z.string({ error: 'required' }).trim().min(1).max(80),
  /** The filters, as the address carries them. */
  query: z.string().max(1_000),
});
export const dropViewSchema = z.object({ command: z.literal('drop'), view: z.uuid() });
