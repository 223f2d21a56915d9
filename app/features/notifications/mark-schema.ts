import { z } from 'zod';

/** One notification (`id`), or all that are not newer than `until`. `back` is the list one came from. */
export const markSchema = z.object({
  mark: z.enum(['read', 'unread']),
  id: z.uuid().optional(),
  until: z.uuid().optional(),
  back: z.string().max(300).optional(),
});
