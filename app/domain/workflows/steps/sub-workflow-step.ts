import { z } from 'zod';
import { checkMappings } from '#app/domain/workflows/mappings/mapping-check.ts';
import { mappingSchema, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

/** The name under which the workspace's own workflows stand in the catalogue in place of a connection. No slug looks like it. */
export const AUTHORED_WORKFLOWS = '@workflows';

const subWorkflowStepSchema = z.object({
  ...stepCommon,
  kind: z.literal('sub_workflow'),
  /** The id of a workflow of the workspace; null: none is chosen yet. */
  workflow: z.string().max(48).nullable().default(null),
  /** The number of its version; null: the one in force when the step begins. */
  version: z.number().int().min(1).nullable().default(null),
  input: mappingSchema.default({}),
});
export type SubWorkflowStep = z.infer<typeof subWorkflowStepSchema>;

/** Runs another workflow as a run of its own, waits for its end and continues with its output; no worker is held meanwhile. */
export const subWorkflowRules: StepRules<SubWorkflowStep> = {
  schema: subWorkflowStepSchema,
  create: (base) => ({ ...base, kind: 'sub_workflow', workflow: null, version: null, input: {} }),
  mappings: ({ input }) => input,
  check({ workflow, version, input }, { catalogue, report }) {
    if (workflow === null) {
      report('workflow', 'noWorkflow');
      return;
    }
    const entry = catalogue.capabilities.find((one) => one.connection === AUTHORED_WORKFLOWS && one.capability === workflow);
    if (entry === undefined) report('workflow', 'unknownWorkflow');
    // The fields of an older version are known when it begins.
    else if (version === null) checkMappings(input, entry.inputSchema, report);
  },
  protocols: ['workflow'],
  askedAgain: false,
  repeats: false,
  outputNames: () => [],
  innerNames: () => [],
};
