import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';

const jsonSchema = z.custom<Json>((value) => value !== undefined);

/**
 * Data beside the input for a run that tries a draft. `step`: it runs this step alone, whose expressions see `outputs` and `around`.
 * `dry`: nothing that writes is called, and a step that is not called has its output from `outputs`, by step id. `pinned`: the ids whose
 * output an author pinned; the others are those of an earlier run.
 */
export const runTrialSchema = z.object({
  kind: z.enum(['step', 'dry']),
  step: z.string().optional(),
  outputs: z.record(z.string(), jsonSchema).default({}),
  pinned: z.array(z.string()).default([]),
  around: z.object({ item: jsonSchema.optional(), index: z.number().optional() }).default({}),
});
export type RunTrial = z.infer<typeof runTrialSchema>;

/** Bytes of JSON that the outputs which a test takes over may have together. */
export const TRIAL_MAX_BYTES = 1_048_576;
