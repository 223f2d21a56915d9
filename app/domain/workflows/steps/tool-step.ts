import { z } from 'zod';
import type { CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { checkTarget, noTarget, targetCommon, unknownOutcomeCommon } from '#app/domain/workflows/steps/call-step.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const toolStepSchema = z.object({ ...stepCommon, ...unknownOutcomeCommon, kind: z.literal('tool'), ...targetCommon });
export type ToolStep = z.infer<typeof toolStepSchema>;

const protocols: readonly CatalogueProtocol[] = ['mcp', 'app', 'http'];

/** A call of a tool, or of an operation of an app. */
export const toolRules: StepRules<ToolStep> = {
  schema: toolStepSchema,
  create: (base) => ({ ...base, kind: 'tool', ...noTarget() }),
  mappings: ({ input }) => input,
  check: (step, at) => checkTarget(step, protocols, at),
  protocols,
  askedAgain: false,
  repeats: false,
  outputNames: () => [],
  innerNames: () => [],
};
