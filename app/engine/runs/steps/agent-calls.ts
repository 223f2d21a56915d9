import { z } from 'zod';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ModelToolCall } from '#app/contracts/ports.ts';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import type { RunError } from '#app/domain/runs/run-state.ts';
import type { AgentTool, FrozenAgent } from '#app/domain/workflows/agent.ts';
import type { AgentStep } from '#app/domain/workflows/steps/agent-step.ts';
import type { ModelStep } from '#app/domain/workflows/steps/model-step.ts';
import type { ToolStep } from '#app/domain/workflows/steps/tool-step.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { RunConfig } from '#app/engine/runs/run-config.ts';
import { type Outcome, type RunExecution, recall, writeLocal } from '#app/engine/runs/run-execution.ts';
import { runActivity } from '#app/engine/runs/steps/run-activity.ts';

/** One agent at work in one step of a run. */
export type InAgent = {
  execution: RunExecution;
  step: AgentStep;
  path: string;
  agentId: string;
  agent: FrozenAgent;
  startedAt: Date;
  /** Milliseconds that the run had waited when the agent began. */
  waitedMs: number;
  /** Calls of the model and of tools in this run so far, those of earlier walks included. */
  calls: number;
};

/** The result of a call. `outcome`: the step waits or the run stops. */
export type Called<T> = ({ kind: 'ok' } & T) | { kind: 'error'; error: RunError } | { kind: 'outcome'; outcome: Outcome };

const jsonObject = z.custom<{ [key: string]: Json }>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const turnSchema = z.object({
  text: z.string(),
  finishReason: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: jsonObject.nullable() })).default([]),
  message: jsonObject,
});
export type AgentTurn = z.infer<typeof turnSchema>;

export function isEnded(execution: RunExecution, path: string): boolean {
  const status = execution.journal.get(path)?.status;
  return status === 'success' || status === 'error' || status === 'skipped';
}

/** Whether it was taken over from the run that this one continues. */
export const isKept = (execution: RunExecution, path: string): boolean => execution.journal.get(path)?.reason?.key === 'stepKept';

/** One call of the agent's model, with the conversation so far and the tools that may be used now. */
export async function askModel(
  inAgent: InAgent,
  path: string,
  conversation: readonly Json[],
  names: ReadonlyMap<string, AgentTool>,
  secondsLeft: number,
  tokensLeft: number,
): Promise<Called<{ answer: AgentTurn }>> {
  const { execution, agent, step } = inAgent;
  const { document } = agent;
  const substep: ModelStep = {
    ...handlingOf(inAgent, path, agent.name),
    kind: 'model',
    timeoutSeconds: Math.max(1, Math.min(step.timeoutSeconds, Math.ceil(secondsLeft))),
    connection: document.connection,
    capability: document.model ?? '',
    task: '',
    input: {},
    maxTokens: document.maxTokens,
    temperature: null,
    schema: '',
  };
  let outcome = recall(execution, substep, path);
  if (outcome === null) {
    const config = await execution.deps.configs.get(execution.run.workspaceId, execution.revision);
    const input = {
      system: document.instructions,
      messages: [...conversation],
      tools: toolsNow(config, names),
      ...(document.maxTokens === null ? {} : { maxTokens: Math.max(1, Math.min(document.maxTokens, tokensLeft)) }),
    };
    const refuse = (now: RunConfig) => pausedBy(inAgent, now) ?? priceMissing(inAgent, now);
    outcome = await runActivity(execution, substep, path, { agent: agent.name, input, refuse });
  }
  const read = resultOf(execution, path, outcome);
  if (read.kind !== 'ok') return read;
  const answer = turnSchema.safeParse(read.output);
  if (!answer.success) return { kind: 'error', error: { key: 'agentAnswerUnreadable', values: { agent: agent.name } } };
  return { kind: 'ok', answer: answer.data };
}

/** One call that the model asked for; an invalid one is stored as a failed step, and the model is told. */
export async function callTool(
  inAgent: InAgent,
  path: string,
  wanted: ModelToolCall,
  tool: AgentTool | null,
): Promise<Called<{ output: Json }>> {
  const { execution, agent } = inAgent;
  const config = await execution.deps.configs.get(execution.run.workspaceId, execution.revision);
  const title = tool === null ? wanted.name : (capabilityOf(config, tool)?.title ?? '') || tool.capability;
  const substep: ToolStep | AgentStep = {
    ...handlingOf(inAgent, path, `${agent.name}: ${title}`.slice(0, 200)),
    kind: tool?.kind === 'skill' ? 'agent' : 'tool',
    connection: tool?.connection ?? null,
    capability: tool?.capability ?? '',
    task: '',
    input: {},
  };
  const known = recall(execution, substep, path);
  if (known !== null) return resultOf(execution, path, known);
  const { input } = wanted;
  if (tool === null || input === null) {
    const values = { agent: agent.name, tool: wanted.name.slice(0, 200) };
    const error = { key: tool === null ? 'agentToolUnknown' : 'agentToolInputUnreadable', values };
    writeLocal(execution, substep, path, { status: 'error', error, startedAt: execution.deps.clock.now() });
    return { kind: 'error', error };
  }
  const refuse = (now: RunConfig) => pausedBy(inAgent, now);
  return resultOf(execution, path, await runActivity(execution, substep, path, { agent: agent.name, input, refuse }));
}

/** Handling of a call inside an agent: a failure is the agent's to deal with. The id is no step id, so that it meets none of the workflow's. */
function handlingOf(
  { step }: InAgent,
  path: string,
  name: string,
): Pick<ToolStep, 'id' | 'name' | 'timeoutSeconds' | 'retries' | 'backoffSeconds' | 'onError' | 'unknownOutcome'> {
  const { timeoutSeconds, retries, backoffSeconds, unknownOutcome } = step;
  return { id: path, name, timeoutSeconds, retries, backoffSeconds, onError: 'continue', ...(unknownOutcome && { unknownOutcome }) };
}

function resultOf(execution: RunExecution, path: string, outcome: Outcome): Called<{ output: Json }> {
  const error = execution.failures.get(path);
  if (outcome.kind !== 'done') return { kind: 'outcome', outcome };
  return error === undefined ? { kind: 'ok', output: outcome.output } : { kind: 'error', error };
}

function pausedBy({ execution, agent, agentId }: InAgent, config: RunConfig): Explanation | null {
  // Test runs of an agent's own draft use the draft, whatever version is active, or if there is none.
  if (execution.claim.mode === 'test' && execution.claim.artifactId === agentId) return null;
  return config.agents.get(agentId) === true ? null : { key: 'agentPaused', values: { agent: agent.name } };
}

/** A limit of money cannot be kept where the cost is not known. */
function priceMissing({ agent }: InAgent, config: RunConfig): Explanation | null {
  const { budget, connection, model } = agent.document;
  if (budget.costMicros === null) return null;
  const settings = [...config.connections.values()].find(({ slug }) => slug === connection)?.settings;
  const prices = modelSettingsSchema.safeParse(settings).data?.prices ?? {};
  return Object.hasOwn(prices, model ?? '') ? null : { key: 'agentBudgetNoPrice', values: { agent: agent.name, model: model ?? '' } };
}

/** The definitions that a model is shown: approved ones alone, since an unapproved description could tell it anything. */
function toolsNow(config: RunConfig, names: ReadonlyMap<string, AgentTool>): Json[] {
  return [...names].flatMap(([name, tool]) => {
    const capability = capabilityOf(config, tool);
    if (capability?.state !== 'approved' || capability.connection.status !== 'connected') return [];
    const description = (capability.description || capability.title).slice(0, 1_000);
    return [{ name, description, inputSchema: capability.inputSchema ?? { type: 'object', properties: {} } }];
  });
}

function capabilityOf(config: RunConfig, tool: AgentTool): RoutableCapability | undefined {
  return config.index.capabilities.find(
    (candidate) => candidate.kind === tool.kind && candidate.name === tool.capability && candidate.connection.slug === tool.connection,
  );
}
