import {
  A2A_VERSION_HEADER,
  formatSSEErrorEvent,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskState,
  taskStateFromJSON,
} from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { validateVersion } from '@a2a-js/sdk/server';
import { AppError } from '#app/domain/errors.ts';
import { requireJson } from '#app/engine/a2a/require-json.ts';
import { RunRequests, type Serving } from '#app/engine/a2a/run-requests.ts';
import { streamOf } from '#app/engine/a2a/task-stream.ts';
import { workflowCard } from '#app/engine/a2a/workflow-card.ts';

/** `url`: the address of the agent; `path`: what stands below the address of this binding, without the first slash; `query`: what follows it. */
export type RestRequest = {
  method: string;
  headers: Headers;
  signal: AbortSignal;
  body: string;
  url: string;
  path: string;
  query: URLSearchParams;
};

type Asked = RestRequest & { requests: RunRequests; gone: AbortController };
type Door = { method: 'GET' | 'POST' | 'any'; path: RegExp; answer: (asked: Asked, id: string) => Promise<Response> };

/** A2A 1.0, section 3.6.2. */
const VERSION_OF_WHO_NAMES_NONE = '0.3';
const tenant = '';

/** The addresses of the binding HTTP+JSON (A2A 1.0, section 11.3). */
const DOORS: readonly Door[] = [
  {
    method: 'POST',
    path: /^message:send$/,
    answer: async ({ requests, body }) => {
      const task = await requests.sendMessage(messageIn(body));
      return json(SendMessageResponse.toJSON({ payload: { $case: 'task', value: task } }));
    },
  },
  {
    method: 'POST',
    path: /^message:stream$/,
    answer: ({ requests, body, gone }) => stream(requests.sendMessageStream(messageIn(body)), gone),
  },
  {
    method: 'any',
    path: /^tasks\/([^/:]+):subscribe$/,
    answer: ({ requests, gone }, id) => stream(requests.resubscribe({ tenant, id }), gone),
  },
  {
    method: 'POST',
    path: /^tasks\/([^/:]+):cancel$/,
    answer: async ({ requests }, id) => json(Task.toJSON(await requests.cancelTask({ tenant, id, metadata: undefined }))),
  },
  {
    method: 'GET',
    path: /^tasks\/([^/:]+)$/,
    answer: async ({ requests }, id) => json(Task.toJSON(await requests.getTask({ tenant, id }))),
  },
  {
    method: 'GET',
    path: /^tasks$/,
    answer: async ({ requests, query }) => {
      const listed = await requests.listTasks({
        tenant,
        contextId: query.get('contextId') ?? '',
        status: query.has('status') ? taskStateFromJSON(query.get('status')) : TaskState.TASK_STATE_UNSPECIFIED,
        pageSize: query.has('pageSize') ? Number(query.get('pageSize')) : undefined,
        pageToken: query.get('pageToken') ?? '',
        statusTimestampAfter: query.get('statusTimestampAfter') ?? undefined,
        includeArtifacts: query.get('includeArtifacts') === 'true',
      });
      return json(ListTasksResponse.toJSON(listed));
    },
  },
  {
    method: 'any',
    path: /^tasks\/[^/]+\/pushNotificationConfigs(?:\/[^/]+)?$/,
    answer: ({ requests }) => requests.createTaskPushNotificationConfig(),
  },
  { method: 'GET', path: /^extendedAgentCard$/, answer: ({ requests }) => requests.getAuthenticatedExtendedAgentCard().then(json) },
];

/** Handles one call of the binding HTTP+JSON to the agent that a workflow is. Throws as `serveWorkflow`. */
export async function serveWorkflowRest(request: RestRequest, served: Omit<Serving, 'signal'>): Promise<Response> {
  const gone = new AbortController();
  const serving = { ...served, signal: AbortSignal.any([request.signal, gone.signal]) };
  const card = workflowCard(serving.workflow, request.url, serving.deps.origin);
  try {
    const version = request.headers.get(A2A_VERSION_HEADER) ?? request.query.get(A2A_VERSION_HEADER);
    validateVersion(version ?? VERSION_OF_WHO_NAMES_NONE, card, 'HTTP+JSON');
    requireJson(request);
    for (const { method, path, answer } of DOORS) {
      const found = method === 'any' || method === request.method ? path.exec(request.path) : null;
      if (found !== null) return await answer({ ...request, requests: new RunRequests(card, serving), gone }, found[1] ?? '');
    }
    throw new UnsupportedOperationError(`There is no ${request.method} at ${request.path}.`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const status = error instanceof ContentTypeNotSupportedError ? 415 : restStatusFor(error);
    return json(toRestErrorBody(error, status), status);
  }
}

function messageIn(body: string): SendMessageRequest {
  try {
    return SendMessageRequest.fromJSON(JSON.parse(body));
  } catch {
    throw new RequestMalformedError('The body is no JSON of a message.');
  }
}

function stream(events: AsyncGenerator<StreamResponse, void, undefined>, gone: AbortController): Promise<Response> {
  const plain = (async function* () {
    for await (const event of events) yield StreamResponse.toJSON(event);
  })();
  return streamOf(plain, { gone, failed: (error) => formatSSEErrorEvent(toRestErrorBody(error, restStatusFor(error))) });
}

const json = (body: unknown, status = 200) => Response.json(body, { status });
