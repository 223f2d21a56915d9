import { z } from 'zod';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import type { CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { checkTarget, noTarget, targetCommon, unknownOutcomeCommon } from '#app/domain/workflows/steps/call-step.ts';
import { type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const agentStepSchema = z.object({ ...stepCommon, ...unknownOutcomeCommon, kind: z.literal('agent'), ...targetCommon });
export type AgentStep = z.infer<typeof agentStepSchema>;

const protocols: readonly CatalogueProtocol[] = ['a2a', 'agent'];

/** A task for an agent: of a peer, or of the workspace itself. */
export const agentRules: StepRules<AgentStep> = {
  schema: agentStepSchema,
  create: (base) => ({ ...base, kind: 'agent', ...noTarget() }),
  mappings: ({ input }) => input,
  check: (step, at) => checkTarget(step, protocols, at),
  protocols,
  askedAgain: false,
  repeats: false,
  outputNames: () => [],
  innerNames: () => [],
};

/** Id of the workspace's own agent that a step names, or null. */
export function authoredAgentOf(step: { kind: string; connection?: string | null; capability?: string | null }): string | null {
  return step.kind === 'agent' && step.connection === AUTHORED_AGENTS ? (step.capability ?? null) : null;
}
