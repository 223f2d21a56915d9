import { z } from 'zod';
import type { SubWorkflowStep } from '#app/domain/workflows/steps/sub-workflow-step.ts';
import { commonOf, mappingOf, pairs, stepFields, whole } from '#app/features/workflows/steps/form/step-values.ts';

export const subWorkflowFormSchema = z.object({
  ...stepFields,
  workflow: z.string().max(48).default(''),
  version: whole(1, 1_000_000).optional(),
  input: pairs,
});

export function readSubWorkflowStep(values: z.output<typeof subWorkflowFormSchema>): SubWorkflowStep {
  const { workflow, version, input } = values;
  return {
    ...commonOf(values),
    kind: 'sub_workflow',
    workflow: workflow === '' ? null : workflow,
    version: version ?? null,
    input: mappingOf(input),
  };
}
