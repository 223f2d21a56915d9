import { z } from 'zod';

const dollars = z.number().min(0).max(100_000).optional();

/** US dollars per million tokens; both empty takes the price away. */
export const priceSchema = z
  .object({ model: z.string({ error: 'chooseOne' }).min(1).max(400), input: dollars, output: dollars })
  .refine(({ input, output }) => input !== undefined || output === undefined, { error: 'required', path: ['input'] })
  .refine(({ input, output }) => output !== undefined || input === undefined, { error: 'required', path: ['output'] });
