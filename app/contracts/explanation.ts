import { z } from 'zod';

/**
 * A reason kept as data, so that each reader gets it as a sentence in their own language: `key` is a key of the
 * namespace `explanations`, `values` fill its places. Values are names, numbers and ids, never payloads.
 */
export const explanationSchema = z.object({
  key: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
export type Explanation = z.infer<typeof explanationSchema>;
