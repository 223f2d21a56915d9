import { A2A_VERSION_HEADER, AGENT_CARD_PATH, AgentCard, type Artifact, type Message, type Part, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  defaultServerCallContextBuilder,
  JsonRpcTransportHandler,
  validateVersion,
} from '@a2a-js/sdk/server';
import type { Json } from '#app/contracts/json.ts';
import { createAssessor } from '#app/engine/a2a/compliance-copilot/assess-obligations.ts';
import { copilotCard } from '#app/engine/a2a/compliance-copilot/copilot-card.ts';
import { RecentTasks } from '#app/engine/a2a/compliance-copilot/recent-tasks.ts';
import { loadRegulations } from '#app/engine/a2a/compliance-copilot/regulation.ts';

const OWNER = { isAuthenticated: true, userName: 'quorate' };

/** The Compliance Copilot as an A2A 1.0 agent over JSON-RPC, reachable under `url`; its card stands below it. */
export function createCompliance(
  url: string,
): (request: { method: string; path: string; headers: Record<string, string>; body: string }) => Promise<{ status: number; body: string }> {
  const card = copilotCard(url);
  const cardText = JSON.stringify(AgentCard.toJSON(card));
  const handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new RecentTasks(), executor));
  return async ({ method, path, headers, body }) => {
    if (method === 'GET' && path === `/${AGENT_CARD_PATH}`) return { status: 200, body: cardText };
    if (path !== '' && path !== '/') return { status: 404, body: '{"error":"not found"}' };
    if (method !== 'POST') return { status: 405, body: '{"error":"method not allowed"}' };
    let id: unknown = null;
    try {
      const message: unknown = JSON.parse(body);
      if (typeof message === 'object' && message !== null && 'id' in message) id = message.id;
      const context = defaultServerCallContextBuilder({
        extensions: [],
        user: OWNER,
        headers,
        requestedVersion: headers[A2A_VERSION_HEADER.toLowerCase()],
      });
      validateVersion(context.requestedVersion, card, 'JSONRPC');
      const answer = await handler.handle(body, context);
      if (Symbol.asyncIterator in answer) return { status: 200, body: failure(id, new Error('streaming is not offered')) };
      return { status: 200, body: JSON.stringify(answer) };
    } catch (error) {
      return { status: 200, body: error instanceof SyntaxError ? PARSE_ERROR : failure(id, error) };
    }
  };
}

const PARSE_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Invalid JSON payload"}}';

function failure(id: unknown, error: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) });
}

let assessor: Promise<ReturnType<typeof createAssessor>> | undefined;
/** Made with the first question: most processes are never asked one. */
function loadAssessor(): Promise<ReturnType<typeof createAssessor>> {
  assessor ??= loadRegulations().then(createAssessor);
  return assessor;
}

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const status = (state: TaskState, message?: string) =>
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: {
          state,
          timestamp: new Date().toISOString(),
          message: message === undefined ? undefined : reply(taskId, contextId, message),
        },
        metadata: undefined,
      });
    bus.publish(
      AgentEvent.task(
        task ?? {
          id: taskId,
          contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED, timestamp: new Date().toISOString(), message: undefined },
          artifacts: [],
          history: [],
          metadata: undefined,
        },
      ),
    );
    const asked = questionOf(userMessage);
    if (asked.text === '') {
      bus.publish(
        status(TaskState.TASK_STATE_REJECTED, 'There is no text to assess: send it as a text part, or as `text` in a data part.'),
      );
    } else {
      const assess = await loadAssessor();
      const assessment = assess(asked.text, asked.jurisdictions);
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          append: false,
          lastChunk: true,
          metadata: undefined,
          artifact: artifactOf(assessment),
        }),
      );
      bus.publish(status(TaskState.TASK_STATE_COMPLETED));
    }
    bus.finished();
  },
  async cancelTask(taskId, bus) {
    // An answer is whole before a cancellation could arrive; a task that waits for one does not exist.
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId: '',
        status: { state: TaskState.TASK_STATE_CANCELED, timestamp: new Date().toISOString(), message: undefined },
        metadata: undefined,
      }),
    );
    bus.finished();
  },
};

function questionOf(message: Message): { text: string; jurisdictions: unknown } {
  const texts: string[] = [];
  let jurisdictions: unknown;
  for (const part of message.parts) {
    if (part.content?.$case === 'text') texts.push(part.content.value);
    if (part.content?.$case !== 'data') continue;
    const data: unknown = part.content.value;
    if (typeof data !== 'object' || data === null) continue;
    if (texts.length === 0 && 'text' in data && typeof data.text === 'string') texts.push(data.text);
    if ('jurisdictions' in data) jurisdictions = data.jurisdictions;
  }
  return { text: texts.join('\n').trim(), jurisdictions };
}

function reply(taskId: string, contextId: string, text: string): Message {
  const part: Part = { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: 2,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function artifactOf(assessment: unknown): Artifact {
  const part: Part = {
    content: { $case: 'data', value: assessment as Json },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  };
  return { artifactId: 'assessment', name: 'assessment', description: '', parts: [part], metadata: undefined, extensions: [] };
}
