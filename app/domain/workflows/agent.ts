import { z } from 'zod';
import { AUTHORED_AGENTS } from '#app/domain/workflows/authored-agents.ts';
import { WORKFLOW_FORMAT, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/**
 * The document of an agent written in the workspace: a draft holds it, a version freezes it inside a workflow of one step
 * (`workflowOfAgent`), so that a run of an agent is a run like any other.
 */
export const AGENT_FORMAT = 'quorate.agent/1';

/** Tools that one agent may use. */
export const AGENT_MAX_TOOLS = 40;

export const agentToolSchema = z.object({
  kind: z.enum(['tool', 'skill']),
  connection: z.string().min(1).max(48),
  capability: z.string().min(1).max(200),
});
export type AgentTool = z.infer<typeof agentToolSchema>;

/** The limits of an agent. At a limit no further call starts, and the step names the limit. */
export const agentBudgetSchema = z.object({
  /** Calls of the model and of tools together. */
  steps: z.number().int().min(1).max(100).default(12),
  /** Tokens in and out together. */
  tokens: z.number().int().min(100).max(5_000_000).default(50_000),
  /** Millionths of a US dollar; null: no limit of its own. */
  costMicros: z.number().int().min(1).max(1_000_000_000).nullable().default(null),
  /** Active time in seconds; waiting for people does not count. */
  seconds: z.number().int().min(5).max(3_600).default(300),
});
export type AgentBudget = z.infer<typeof agentBudgetSchema>;

export const agentDocumentSchema = z.object({
  format: z.literal(AGENT_FORMAT),
  instructions: z.string().max(20_000).default(''),
  /** Slug of the model's connection and the model's own name; null: not chosen yet. */
  connection: z.string().max(48).nullable().default(null),
  model: z.string().max(200).nullable().default(null),
  /** Tokens that one answer of the model may have. */
  /** For one answer; null: the model's own limit. */
  maxTokens: z.number().int().min(1).max(100_000).nullable().default(1_000),
  tools: z.array(agentToolSchema).max(AGENT_MAX_TOOLS).default([]),
  budget: agentBudgetSchema.prefault({}),
});
export type AgentDocument = z.infer<typeof agentDocumentSchema>;

export const EMPTY_AGENT: AgentDocument = agentDocumentSchema.parse({ format: AGENT_FORMAT });

/** An agent as a version holds it, frozen with the version. */
export const frozenAgentSchema = z.object({ name: z.string(), document: agentDocumentSchema });
export type FrozenAgent = z.infer<typeof frozenAgentSchema>;

/**
 * A version as a worker reads it: the workflow, and by id the agents of the workspace that its steps use. `inspects`: one call from the
 * inspector, which policies judge as a live one.
 */
export const versionDocumentSchema = workflowDocumentSchema.extend({
  agents: z.record(z.string(), frozenAgentSchema).default({}),
  inspects: z.boolean().optional(),
});
export type VersionDocument = z.infer<typeof versionDocumentSchema>;

/** Seconds that one call of an agent may take when a member runs it directly. */
const CALL_SECONDS = 120;

/** The workflow of one step that a version of an agent is. */
export function workflowOfAgent(agent: { id: string; name: string }): WorkflowDocument {
  return workflowDocumentSchema.parse({
    format: WORKFLOW_FORMAT,
    input: [{ name: 'task', title: 'Task', type: 'longtext' }],
    steps: [
      {
        id: 'agent',
        name: agent.name,
        kind: 'agent',
        connection: AUTHORED_AGENTS,
        capability: agent.id,
        input: { task: '=input.task' },
        timeoutSeconds: CALL_SECONDS,
      },
    ],
  });
}

/** JSON Schema of what a step gives an agent of the workspace. */
export const AGENT_INPUT_SCHEMA = {
  type: 'object',
  properties: { task: { type: 'string', title: 'Task', description: 'What the agent is asked to do' } },
  required: ['task'],
  additionalProperties: false,
};

/** JSON Schema of the agent's answer. */
export const AGENT_OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    answer: { type: 'string' },
    finishReason: { type: 'string' },
    calls: { type: 'integer' },
    usage: { type: 'object', properties: { inputTokens: { type: 'integer' }, outputTokens: { type: 'integer' } } },
  },
  required: ['answer', 'finishReason', 'calls', 'usage'],
};

/**
 * The names under which a model sees its tools: providers take 64 letters, digits, underscores and hyphens. They follow from
 * the list alone, so that a later walk reads a model's answer as the first one did.
 */
export function nameAgentTools(tools: readonly AgentTool[]): Map<string, AgentTool> {
  const named = new Map<string, AgentTool>();
  for (const tool of tools) {
    const plain = `${tool.connection}__${tool.capability}`.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
    let name = plain;
    for (let next = 2; named.has(name); next += 1) name = `${plain}_${next}`;
    named.set(name, tool);
  }
  return named;
}

export type BudgetLimit = 'steps' | 'tokens' | 'cost' | 'time';
export type BudgetUse = { steps: number; tokens: number; costMicros: number; seconds: number };

/** The first limit that is reached, or null. */
export function limitReached(budget: AgentBudget, used: BudgetUse): BudgetLimit | null {
  if (used.steps >= budget.steps) return 'steps';
  if (used.tokens >= budget.tokens) return 'tokens';
  if (budget.costMicros !== null && used.costMicros >= budget.costMicros) return 'cost';
  return used.seconds >= budget.seconds ? 'time' : null;
}

/** `field` is the form's, `key` one of `agents.issues`. */
export type AgentIssue = { field: string; key: AgentIssueKey; values: Record<string, string | number> };
export type AgentIssueKey =
  | 'noInstructions'
  | 'noModel'
  | 'modelMissing'
  | 'modelNotApproved'
  | 'toolMissing'
  | 'toolNotApproved'
  | 'noPrice';

export type AgentCatalogue = {
  /** Models, tools and skills that are connected. */
  capabilities: readonly { kind: string; connection: string; capability: string; approved: boolean }[];
  /** `connection/model` of every model with a price. */
  priced: ReadonlySet<string>;
};

/** Every issue of an agent; empty: it may be published. */
export function checkAgent(document: AgentDocument, catalogue: AgentCatalogue): AgentIssue[] {
  const issues: AgentIssue[] = [];
  const find = (kind: string, connection: string, capability: string) =>
    catalogue.capabilities.find((entry) => entry.kind === kind && entry.connection === connection && entry.capability === capability);
  if (document.instructions.trim() === '') issues.push({ field: 'instructions', key: 'noInstructions', values: {} });
  const { connection, model } = document;
  if (connection === null || model === null) issues.push({ field: 'model', key: 'noModel', values: {} });
  else {
    const found = find('model', connection, model);
    if (found === undefined) issues.push({ field: 'model', key: 'modelMissing', values: { model, connection } });
    else if (!found.approved) issues.push({ field: 'model', key: 'modelNotApproved', values: { model, connection } });
    if (document.budget.costMicros !== null && !catalogue.priced.has(`${connection}/${model}`))
      issues.push({ field: 'cost', key: 'noPrice', values: { model } });
  }
  for (const tool of document.tools) {
    const found = find(tool.kind, tool.connection, tool.capability);
    const values = { tool: tool.capability, connection: tool.connection };
    if (found === undefined) issues.push({ field: 'tools', key: 'toolMissing', values });
    else if (!found.approved) issues.push({ field: 'tools', key: 'toolNotApproved', values });
  }
  return issues;
}
