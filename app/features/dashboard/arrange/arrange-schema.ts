import { z } from 'zod';

const name = z.string().max(40);

/** The arrangement as the form shows it, and which panel a button of it moves, as `up:name`. `hide`: puts one panel away and leaves the rest. */
export const arrangeSchema = z.object({
  order: z.array(name).max(50).default([]),
  shown: z.array(name).max(50).default([]),
  move: z
    .string()
    .regex(/^(?:up|down):\w{1,40}$/)
    .optional(),
  restore: z.string().optional(),
  hide: name.optional(),
});
