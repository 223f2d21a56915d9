import type { Json } from '#app/contracts/json.ts';
import type { RunError } from '#app/domain/runs/run-state.ts';
import { type FrozenAgent, limitReached, nameAgentTools } from '#app/domain/workflows/agent.ts';
import type { AgentStep } from '#app/domain/workflows/steps/agent-step.ts';
import { ExpressionError } from '#app/engine/runs/expressions/evaluate.ts';
import { fail, type Outcome, type RunExecution, STOP, succeed, writeLocal } from '#app/engine/runs/run-execution.ts';
import { type AgentTurn, askModel, callTool, type InAgent, isEnded, isKept } from '#app/engine/runs/steps/agent-calls.ts';
import { mapInput } from '#app/engine/runs/steps/call-input.ts';
import { isDry, noteLocally } from '#app/engine/runs/steps/dry/dry-run.ts';

/** The most of a tool's answer that the model reads, in characters. */
const RESULT_MAX = 60_000;

/**
 * An agent of the workspace: asks its model, makes the calls that the model asks for, and asks again, until the model answers
 * or a limit of the budget is reached. Each of these is a step of its own below this one, decided, journaled and replayed like
 * any other; what is said here follows from the journal alone, so that a later walk makes the same calls at the same places.
 */
export async function runAuthoredAgent(execution: RunExecution, step: AgentStep, path: string): Promise<Outcome> {
  const agentId = step.capability ?? '';
  const agent = execution.agents[agentId];
  const row = execution.journal.get(path);
  // Taken over from an earlier run with what it had done: its time and its budget begin now.
  const isTakenOver = row?.status === 'pending';
  const startedAt = row === undefined || isTakenOver ? execution.deps.clock.now() : new Date(row.startedAt);
  let input = inputOf(row?.input ?? null);
  const end = (error: RunError): Outcome => {
    const asked = input === null ? null : { ...input, agent: agentId };
    writeLocal(execution, step, path, { status: 'error', input: asked, error, startedAt, ...(agent === undefined ? {} : { agentId }) });
    return fail(execution, step, path, error);
  };
  if (agent === undefined) return end({ key: 'agentMissing', values: {} });
  if (input === null) {
    try {
      input = { task: textOf((await mapInput(execution, step, null)).task ?? ''), waitedMs: execution.claim.waitingMs };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return end(error.explanation);
    }
    const reason = { key: 'agentWorks', values: { agent: agent.name } };
    writeLocal(execution, step, path, { status: 'processing', reason, input: { ...input, agent: agentId }, startedAt, agentId });
  } else if (isTakenOver) {
    input = { task: input.task, waitedMs: execution.claim.waitingMs };
    const from = execution.journal.get(`${path}/turn_1`)?.reason?.values.run ?? '';
    const reason = { key: 'agentContinues', values: { agent: agent.name, run: from } };
    writeLocal(execution, step, path, { status: 'processing', reason, input: { ...input, agent: agentId }, startedAt, agentId });
  }
  if (input.task.trim() === '') return end({ key: 'agentNoTask', values: { agent: agent.name } });
  if (isDry(execution) && execution.claim.trial?.pinned.includes(step.id) === true)
    return noteLocally(execution, step, path, {
      reason: { key: 'agentWorks', values: { agent: agent.name } },
      input: { ...input, agent: agentId },
    });
  const inAgent: InAgent = { execution, step, path, agentId, agent, startedAt, waitedMs: input.waitedMs, calls: 0 };
  const result = await converse(inAgent, input.task);
  if ('outcome' in result) return result.outcome;
  if ('error' in result) return end(result.error);
  const { tokens, inputTokens } = spentBy(inAgent);
  const output = {
    answer: result.answer.text,
    finishReason: result.answer.finishReason,
    calls: inAgent.calls,
    usage: { inputTokens, outputTokens: tokens - inputTokens },
  };
  writeLocal(execution, step, path, { status: 'success', output, startedAt, agentId });
  return succeed(execution, step, output);
}

type Told = { answer: AgentTurn } | { error: RunError } | { outcome: Outcome };

async function converse(inAgent: InAgent, task: string): Promise<Told> {
  const { execution, path, agent } = inAgent;
  const names = nameAgentTools(agent.document.tools);
  const conversation: Json[] = [{ role: 'user', content: task }];
  for (let turn = 1; ; turn += 1) {
    const place = `${path}/turn_${turn}`;
    const over = overBudget(inAgent, place);
    if (over !== null) return { error: over };
    const asked = await askModel(inAgent, place, conversation, names, secondsLeft(inAgent), tokensLeft(inAgent));
    if (asked.kind === 'outcome') return { outcome: asked.outcome };
    // a call that the clock of the budget cut off failed because of the budget
    if (asked.kind === 'error')
      return { error: asked.error.key === 'peerTimeout' && secondsLeft(inAgent) <= 0 ? limitError(agent, 'time') : asked.error };
    countCall(inAgent, place);
    const { answer } = asked;
    if (answer.toolCalls.length === 0) return { answer };
    const results: Json[] = [];
    for (const [index, wanted] of answer.toolCalls.entries()) {
      const at = `${place}_call_${index + 1}`;
      const spent = overBudget(inAgent, at);
      if (spent !== null) return { error: spent };
      if (execution.stop !== null) return { outcome: STOP };
      const called = await callTool(inAgent, at, wanted, names.get(wanted.name) ?? null);
      if (called.kind === 'outcome') return { outcome: called.outcome };
      // a person said no, or the agent was paused: it does not get to try something else
      if (called.kind === 'error' && endsAgent(called.error.key)) return { error: called.error };
      countCall(inAgent, at);
      results.push({
        type: 'tool-result',
        toolCallId: wanted.id,
        toolName: wanted.name,
        output:
          called.kind === 'error'
            ? { type: 'error-text', value: JSON.stringify({ error: called.error.key, ...called.error.values }).slice(0, RESULT_MAX) }
            : { type: 'text', value: textOf(called.output).slice(0, RESULT_MAX) },
      });
    }
    conversation.push(answer.message, { role: 'tool', content: results });
  }
}

/** Calls of an earlier run that this one continues are in its budget. */
function countCall(inAgent: InAgent, place: string): void {
  if (!isKept(inAgent.execution, place)) inAgent.calls += 1;
}

function endsAgent(key: string): boolean {
  return key.startsWith('approval') || key === 'agentPaused';
}

/** Tools that were requested earlier are still called when a limit has been reached since. */
function overBudget(inAgent: InAgent, place: string): RunError | null {
  if (isEnded(inAgent.execution, place)) return null;
  const { tokens, costMicros } = spentBy(inAgent);
  const { budget } = inAgent.agent.document;
  const limit = limitReached(budget, { steps: inAgent.calls, tokens, costMicros, seconds: budget.seconds - secondsLeft(inAgent) });
  return limit === null ? null : limitError(inAgent.agent, limit);
}

function limitError({ name, document: { budget } }: FrozenAgent, limit: 'steps' | 'tokens' | 'cost' | 'time'): RunError {
  switch (limit) {
    case 'steps':
      return { key: 'agentBudgetSteps', values: { agent: name, limit: budget.steps } };
    case 'tokens':
      return { key: 'agentBudgetTokens', values: { agent: name, limit: budget.tokens } };
    case 'cost':
      return { key: 'agentBudgetCost', values: { agent: name, limit: `${(budget.costMicros ?? 0) / 1_000_000}` } };
    case 'time':
      return { key: 'agentBudgetTime', values: { agent: name, limit: budget.seconds } };
  }
}

function spentBy({ execution, path }: InAgent): { tokens: number; inputTokens: number; costMicros: number } {
  const sum = { tokens: 0, inputTokens: 0, costMicros: 0 };
  for (const [place, use] of execution.used) {
    if (!place.startsWith(`${path}/`)) continue;
    sum.tokens += use.tokens;
    sum.inputTokens += use.inputTokens;
    sum.costMicros += use.costMicros;
  }
  return sum;
}

function tokensLeft(inAgent: InAgent): number {
  return inAgent.agent.document.budget.tokens - spentBy(inAgent).tokens;
}

/** Active time that is left: from the start, without what the run has waited since. */
function secondsLeft({ execution, agent, startedAt, waitedMs }: InAgent): number {
  const active = execution.deps.clock.now().getTime() - startedAt.getTime() - (execution.claim.waitingMs - waitedMs);
  return agent.document.budget.seconds - Math.max(0, active) / 1_000;
}

function inputOf(input: Json): { task: string; waitedMs: number } | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { task, waitedMs } = input;
  return typeof task === 'string' && typeof waitedMs === 'number' ? { task, waitedMs } : null;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
