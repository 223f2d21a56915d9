import { z } from 'zod';
import type { CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { checkTarget, noTarget, targetCommon } from '#app/domain/workflows/steps/call-step.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** `input` maps `prompt` and, where wanted, `system`. */
const modelStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('model'),
  ...targetCommon,
  /** For one answer; null: the model's own limit. */
  maxTokens: z.number().int().min(1).max(100_000).nullable().default(1_000),
  /** Null: the provider's own. */
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** JSON Schema as text that the answer must fit; empty: plain text. */
  schema: z.string().max(20_000).default(''),
});
export type ModelStep = z.infer<typeof modelStepSchema>;

const protocols: readonly CatalogueProtocol[] = ['model'];

/** A question to a language model. It is never routed: which model reads the data is a choice of the author. */
export const modelRules: StepRules<ModelStep> = {
  schema: modelStepSchema,
  create: (base) => ({ ...base, kind: 'model', timeoutSeconds: 120, ...noTarget(), maxTokens: 1_000, temperature: null, schema: '' }),
  mappings: ({ input }) => input,
  check: (step, at) => {
    if (step.connection === null || step.capability === null) at.report('target', 'noModel');
    else checkTarget(step, protocols, at);
    if (step.schema.trim() !== '' && !isSchemaText(step.schema)) at.report('schema', 'badSchema');
  },
  protocols,
  askedAgain: false,
  repeats: false,
  outputNames: () => [],
  innerNames: () => [],
};

function isSchemaText(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'object';
  } catch {
    return false;
  }
}
