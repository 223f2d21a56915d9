import { z } from 'zod';

/** `user`: who is away. Days as the calendar has them, both of them away, in `zone`; both empty for a deputy without a time. */
export const deputySchema = z
  .object({
    id: z.uuid(),
    user: z.uuid(),
    deputy: z.uuid(),
    from: z.iso.date().optional(),
    until: z.iso.date().optional(),
    zone: z.string().max(64),
    reason: z.string().trim().max(500).default(''),
  })
  .refine(({ from, until }) => (from === undefined) === (until === undefined), { error: 'deputyBothDays', path: ['until'] })
  .refine(({ from, until }) => from === undefined || until === undefined || from <= until, { error: 'deputyTime', path: ['until'] });
