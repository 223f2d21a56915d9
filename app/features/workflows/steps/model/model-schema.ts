import { z } from 'zod';
import type { ModelStep } from '#app/domain/workflows/steps/model-step.ts';
import { pinnedOf, targetField } from '#app/features/workflows/steps/call/call-schema.ts';
import { commonOf, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const modelFormSchema = z.object({
  ...stepFields,
  target: targetField,
  prompt: z.string().trim().min(1).max(20_000),
  system: z.string().max(20_000).default(''),
  maxTokens: whole(1, 100_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  schema: z.string().max(20_000).default(''),
});

export function readModelStep(values: z.output<typeof modelFormSchema>): ModelStep {
  const { target, prompt, system, maxTokens, temperature, schema } = values;
  return {
    ...commonOf(values),
    kind: 'model',
    ...pinnedOf(target),
    task: '',
    input: { prompt, ...(system.trim() === '' ? {} : { system }) },
    maxTokens: maxTokens ?? null,
    temperature: temperature ?? null,
    schema: schema.trim(),
  };
}
