import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import type { AgentStep } from '#app/domain/workflows/steps/agent-step.ts';
import type { Outcome, RunExecution } from '#app/engine/runs/run-execution.ts';
import { runAuthoredAgent } from '#app/engine/runs/steps/authored-agent.ts';
import { runActivity } from '#app/engine/runs/steps/run-activity.ts';

/** An agent of the workspace works inside the run; one of a peer is called. */
export function runAgentStep(execution: RunExecution, step: AgentStep, path: string): Promise<Outcome> {
  return step.connection === AUTHORED_AGENTS ? runAuthoredAgent(execution, step, path) : runActivity(execution, step, path);
}
