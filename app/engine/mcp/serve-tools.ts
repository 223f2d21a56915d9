import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
  type ServerEventBus,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { ServedRun } from '#app/contracts/runs.ts';
import { AppError } from '#app/domain/errors.ts';
import { reportProgress } from '#app/engine/mcp/call-progress.ts';
import { withSession } from '#app/engine/mcp/legacy-cancellation.ts';
import { OUTCOME, RUN_ID, runOutcome, toolSchema } from '#app/engine/mcp/served-tools.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { refusalText } from '#app/engine/serving/refusal-text.ts';
import { reportDefect } from '#app/engine/serving/report-defect.ts';
import { askPage, askSentence, cancelServedRun, isSettled, startServedRun, untilSettled } from '#app/engine/serving/served-runs.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { GET_RUN } from '#app/engine/serving/tool-names.ts';

/** How long a call waits for its run; then the caller gets a handle to ask with. */
const WAIT_MS = 25_000;
/** How long a caller may keep the list of workflows: a new one shows after that. */
const LIST_TTL_MS = 10_000;

/** A tool whose calls are runs of a workflow. `result`: what its caller is told of a run that needs no person, or has ended. */
export type ServedTool = {
  workflow: ServedWorkflow;
  title: string;
  description: string;
  annotations?: ToolAnnotations;
  outputSchema?: StandardSchemaWithJSON;
  result(run: ServedRun): CallToolResult;
};
/** A tool as the SDK takes it. */
export type ToolConfig = {
  title: string;
  description: string;
  inputSchema: StandardSchemaWithJSON;
  outputSchema?: StandardSchemaWithJSON;
  annotations?: ToolAnnotations;
};
/**
 * `tools`: those that the answer can need. `busy`: these calls start nothing, and may be made again after so many seconds. `extend` adds to
 * the server; `bus` brings what its subscriptions are told.
 */
export type ServedServer = {
  title: string;
  instructions: string;
  tools: Iterable<[string, ServedTool]>;
  busy?: { calls: readonly string[]; seconds: number; text: string } | null;
  extend?(server: McpServer): void;
  bus?: ServerEventBus;
};

/**
 * Tools whose calls are runs, and `get_run`, as an MCP server. For clients of every era; who may reach it, and
 * from which origin, is decided before. A run that waits for a person is `input_required`, a URL to the page of the approval or the form. The answer to that
 * decides nothing, as no caller ever votes: the call is held until a person has decided, and when that takes too long it ends with the handle.
 */
export async function serveTools(
  request: Request,
  { caller, deps }: Pick<Serving, 'caller' | 'deps'>,
  open: (body: unknown) => Promise<ServedServer>,
): Promise<Response> {
  const text = request.method === 'POST' ? await request.text() : '';
  const body = parsed(text);
  deps.engine.legacyCalls.cancel(request, caller.key.id, body);
  const served = await open(body);
  const handler = createMcpHandler(({ era }) => createServer(era, served, { caller, deps, request }), {
    onerror: (error) => deps.log.warn('an MCP call was refused', { key: caller.key.id, message: error.name }),
    ...(served.bus === undefined ? {} : { bus: served.bus }),
  });
  // The handler itself refuses a body that is not JSON, and reads the request for that.
  const unread = () => new Request(request.url, { method: 'POST', headers: request.headers, body: text });
  const answer = body !== undefined || request.method !== 'POST' ? handler.fetch(request, { parsedBody: body }) : handler.fetch(unread());
  return withSession(request, body, later(await answer, served.busy));
}

/** Says in a header, too, when a call that was refused for its pace may be made again. */
function later(response: Response, busy: ServedServer['busy']): Response {
  if (busy == null) return response;
  const headers = new Headers(response.headers);
  headers.set('Retry-After', String(busy.seconds));
  return new Response(response.body, { status: response.status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ANYTHING = z.looseObject({});

/** The question that a client was asked: sealed into the state that it sends back. Null: one that its key may not see. */
const promptSchema = z.object({ runId: z.uuid(), prompted: z.uuid().nullable() });
type Prompt = z.infer<typeof promptSchema>;
/** `fresh`: this call has just started it. */
type Followed = { runId: string; fresh: boolean; begun?: ServedRun | undefined; prompted?: string | null };

type Serving = { caller: Caller; deps: ServingDeps; request: Request };

function createServer(era: 'legacy' | 'modern', { title, instructions, tools, busy, extend }: ServedServer, serving: Serving): McpServer {
  const { caller, deps } = serving;
  const bound = `mcp/${caller.key.id}`;
  const server = new McpServer(
    { name: 'quorate', title, version: '1.0.0' },
    {
      capabilities: { tools: {} },
      instructions,
      inputRequired: { legacyShim: false },
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
      requestState: {
        verify: (state: string) => promptSchema.parse(JSON.parse(deps.engine.sealer.open(Buffer.from(state, 'base64url'), bound))),
      },
    },
  );
  /** Follows the run of a call, and ends it when the client cancels the call. */
  const settle = async (begin: () => Promise<Followed>, context: ServerContext, told: ServedTool['result']) => {
    const { request } = serving;
    const call = deps.engine.legacyCalls.open(request, caller.key.id, context.mcpReq.id);
    // Since 2026-07-28 a client cancels by closing the connection; before that a lost one says nothing. Whoever sends an idempotency key
    // means to come back.
    const closes = era === 'modern' && !request.headers.has('Idempotency-Key');
    const isCancelled = () => call?.signal.aborted === true || (closes && request.signal.aborted);
    const ends = [request.signal, context.mcpReq.signal];
    try {
      const followed = await begin();
      const progress = reportProgress(serving, context, followed);
      const result = await follow(followed, context, AbortSignal.any(call === null ? ends : [call.signal, ...ends]), told);
      // A server that ends closes its connections, too.
      if (isCancelled() && !deps.engine.isEnding()) await cancelServedRun(caller, deps, followed.runId);
      await progress.end();
      return result;
    } finally {
      call?.end();
    }
  };
  const follow = async (
    { runId, fresh, begun, prompted }: Followed,
    context: ServerContext,
    signal: AbortSignal,
    told: ServedTool['result'],
  ) => {
    const { inputResponses } = context.mcpReq;
    const answered = inputResponse(inputResponses, 'approval');
    const declined = answered.kind === 'elicit' && answered.action !== 'accept';
    const run = await untilSettled(caller, deps, runId, {
      waitMs: declined ? 0 : WAIT_MS,
      signal,
      fresh,
      begun,
      // A caller that was asked once is not asked the same again: opening the page decides nothing, and a client may ask at once.
      isEnough: (now) => isSettled(now) && !(now.ask !== null && prompted !== undefined && now.ask.id === prompted),
    });
    if (run === null) return refusal(new AppError('not_found'));
    const known = prompted !== undefined && run.ask?.id === prompted;
    if (run.ask === null || known || declined || era === 'legacy' || !takesUrls(context)) return told(run);
    return inputRequired({
      inputRequests: {
        approval: inputRequired.elicitUrl({
          message: askSentence(run, run.ask),
          url: askPage(deps.origin, run),
        }),
      },
      requestState: Buffer.from(deps.engine.sealer.seal(JSON.stringify({ runId, prompted: run.ask.id }), bound)).toString('base64url'),
    });
  };
  for (const [name, tool] of tools) {
    const call = (input: { [name: string]: Json }, context: ServerContext) =>
      refusing(serving, () =>
        settle(
          async () => {
            const state = context.mcpReq.requestState<Prompt>();
            return state === undefined ? start(serving, tool.workflow, input) : { ...state, fresh: false };
          },
          context,
          tool.result,
        ),
      );
    server.registerTool(name, toolConfig(tool), call);
  }
  if (busy != null) for (const name of new Set(busy.calls)) server.registerTool(name, { inputSchema: ANYTHING }, () => refused(busy.text));
  registerGetRun(server, serving);
  extend?.(server);
  return server;
}

function registerGetRun(server: McpServer, serving: Serving): void {
  const { caller, deps } = serving;
  server.registerTool(GET_RUN, GET_RUN_TOOL, ({ runId }, context) =>
    refusing(serving, async () => {
      const run = await untilSettled(caller, deps, runId, { waitMs: WAIT_MS, signal: context.mcpReq.signal });
      return run === null ? refusal(new AppError('not_found')) : runOutcome(run, deps.origin);
    }),
  );
}

export const GET_RUN_TOOL = {
  title: 'Get a run',
  description: 'How a run stands, and what it gave. Waits a while for one that is under way.',
  inputSchema: RUN_ID,
  outputSchema: OUTCOME,
  annotations: { readOnlyHint: true },
};

/** As the SDK takes it. */
export function toolConfig({ workflow, title, description, annotations, outputSchema }: ServedTool) {
  return {
    ...{ title, description, inputSchema: toolSchema(workflow) },
    ...(annotations === undefined ? {} : { annotations }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

async function start({ caller, deps, request }: Serving, workflow: ServedWorkflow, input: { [name: string]: Json }) {
  const idempotencyKey = request.headers.get('Idempotency-Key');
  const { runId, again, begun } = await startServedRun(caller, deps, {
    workflow,
    input,
    triggerKind: 'mcp',
    requestKey: idempotencyKey === null ? null : `mcp:${caller.key.id}:${idempotencyKey.slice(0, 200)}`,
  });
  return { runId, fresh: !again, begun };
}

/** Whether the client shows its person a URL when it is asked to. */
function takesUrls(context: ServerContext): boolean {
  const envelope: Record<string, unknown> = { ...context.mcpReq.envelope };
  const capabilities = z
    .looseObject({ elicitation: z.looseObject({ url: z.unknown() }) })
    .safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]);
  return capabilities.success && capabilities.data.elicitation.url !== undefined;
}

const refused = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });
const refusal = (error: AppError) => refused(refusalText(error));

/** Nothing is thrown on: the SDK would show the caller the words of whatever failed. */
export async function refusing<T>({ caller, deps }: Pick<Serving, 'caller' | 'deps'>, work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return error instanceof AppError ? refusal(error) : refused(reportDefect(error, caller, deps));
  }
}
