import { A2A_VERSION_HEADER, formatSSEErrorEvent } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { defaultServerCallContextBuilder, JsonRpcTransportHandler, validateVersion } from '@a2a-js/sdk/server';
import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { requireJson } from '#app/engine/a2a/require-json.ts';
import { RunRequests, type Serving } from '#app/engine/a2a/run-requests.ts';
import { streamOf } from '#app/engine/a2a/task-stream.ts';
import { workflowCard } from '#app/engine/a2a/workflow-card.ts';
import type { Caller } from '#app/engine/serving/caller.ts';

const namingSchema = z.object({
  params: z.object({
    id: z.uuid().optional(),
    message: z.object({ taskId: z.string().optional(), metadata: z.object({ workflow: z.uuid() }).optional() }).optional(),
  }),
});

/** The workflow that a call to the instance's own address is for: named in the message, or that of the task. Null: neither names one. */
export async function workflowNamed(body: string, caller: Caller): Promise<string | null> {
  const { id, message } = namingSchema.safeParse(parsed(body)).data?.params ?? {};
  if (message?.metadata !== undefined) return message.metadata.workflow;
  const task = z.uuid().safeParse(id ?? message?.taskId).data;
  return task === undefined ? null : ((await caller.readRun(task))?.workflowId ?? null);
}

/** The answer to a call that names neither. */
export function refuseUnnamed(body: string): Response {
  const error = new RequestMalformedError('Name a published workflow in the metadata of the message, as "workflow", or a task of one.');
  return Response.json(failure(idOf(body), error));
}

/**
 * Handles one JSON-RPC call to the agent that a workflow is, under `url`. Throws AppError `unavailable` where the service cannot do its
 * part.
 */
export async function serveWorkflow(
  request: { headers: Headers; signal: AbortSignal; body: string; url: string },
  served: Omit<Serving, 'signal'>,
): Promise<Response> {
  const gone = new AbortController();
  const serving = { ...served, signal: AbortSignal.any([request.signal, gone.signal]) };
  const card = workflowCard(serving.workflow, request.url, serving.deps.origin);
  const id = idOf(request.body);
  try {
    requireJson(request);
    const context = defaultServerCallContextBuilder({
      extensions: [],
      user: { isAuthenticated: true, userName: serving.caller.key.id },
      headers: Object.fromEntries(request.headers),
      requestedVersion: request.headers.get(A2A_VERSION_HEADER) ?? undefined,
    });
    validateVersion(context.requestedVersion, card, 'JSONRPC');
    const requests = new RunRequests(card, serving);
    const answer = await new JsonRpcTransportHandler(requests).handle(request.body, context);
    if (requests.outage !== null) throw requests.outage;
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
    return await streamOf(answer[Symbol.asyncIterator](), { gone, failed: (error) => formatSSEErrorEvent(failure(id, error)) });
  } catch (error) {
    if (error instanceof AppError) throw error;
    return Response.json(failure(id, error));
  }
}

const failure = (id: string | number | null, error: unknown) => ({
  jsonrpc: '2.0' as const,
  id,
  error: JsonRpcTransportHandler.mapToJSONRPCError(error),
});

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function idOf(body: string): string | number | null {
  return z.object({ id: z.union([z.string(), z.number()]) }).safeParse(parsed(body)).data?.id ?? null;
}
