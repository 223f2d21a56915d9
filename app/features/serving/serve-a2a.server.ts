import { createHash } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { problem } from '#app/components/page/problem.server.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Caller } from '#app/engine/serving/caller.ts';
import { findServedWorkflow } from '#app/engine/serving/served-catalog.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { reachWorkspace } from '#app/features/serving/reach-workspace.server.ts';

type Context = Readonly<RouterContextProvider>;
type Arguments = { request: Request; params: { workspace: string; artifact: string }; context: Context };

const uuid = z.uuid();

async function workflowOf(caller: Caller, id: string): Promise<ServedWorkflow> {
  const known = uuid.safeParse(id).data;
  const workflow = known === undefined ? null : await findServedWorkflow(caller, known);
  if (workflow === null) throw new AppError('not_found');
  return workflow;
}

const serving = () => import('#app/engine/a2a/serve-workflow.ts');
const cards = () => import('#app/engine/a2a/workflow-card.ts');
/** As for MCP: the loader is asked once, not by each call. */
let loading: Promise<typeof import('#app/engine/a2a/serve-rest.ts')> | undefined;
const onlyPost = () => problem('invalid_input', 'Send JSON-RPC by POST.', { status: 405, headers: { Allow: 'POST' } });

/** The A2A address of one workflow. */
export function serveAgent({ request, params, context }: Arguments): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    if (request.method !== 'POST') return onlyPost();
    const workflow = await workflowOf(caller, params.artifact);
    const url = `${deps.origin}/a2a/${params.workspace}/${params.artifact}`;
    const { headers, signal } = request;
    const { serveWorkflow } = await serving();
    return serveWorkflow({ headers, signal, body: await request.text(), url }, { caller, deps, workflow });
  });
}

/** The same by the binding HTTP+JSON, whose addresses stand below. */
export function serveAgentRest({ request, params, context }: Arguments & { params: { '*': string } }): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    const workflow = await workflowOf(caller, params.artifact);
    const url = `${deps.origin}/a2a/${params.workspace}/${params.artifact}`;
    const { method, headers, signal } = request;
    const body = method === 'POST' ? await request.text() : '';
    const query = new URL(request.url).searchParams;
    loading ??= import('#app/engine/a2a/serve-rest.ts');
    const { serveWorkflowRest } = await loading;
    return serveWorkflowRest({ method, headers, signal, body, url, path: params['*'], query }, { caller, deps, workflow });
  });
}

/** The card of one workflow; its name and schema are the workspace's, so that it takes a key to read it. */
export function loadAgentCard({ request, params, context }: Arguments): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    const workflow = await workflowOf(caller, params.artifact);
    const { cardJson, workflowCard } = await cards();
    const card = cardJson(workflowCard(workflow, `${deps.origin}/a2a/${params.workspace}/${params.artifact}`, deps.origin));
    return answerCard(request, card, 'private, max-age=60');
  });
}

/** The instance's own address: the workspace is that of the key, the workflow is named in the message. */
export function serveInstance({ request, context }: Pick<Arguments, 'request' | 'context'>): Promise<Response> {
  const { workspace } = context.get(keyContext).key;
  return reachWorkspace({ request, workspace: workspace.id, context }, async (caller, deps) => {
    if (request.method !== 'POST') return onlyPost();
    const body = await request.text();
    const { refuseUnnamed, serveWorkflow, workflowNamed } = await serving();
    const named = await workflowNamed(body, caller);
    if (named === null) return refuseUnnamed(body);
    const workflow = await workflowOf(caller, named);
    const { headers, signal } = request;
    return serveWorkflow({ headers, signal, body, url: `${deps.origin}/a2a` }, { caller, deps, workflow });
  });
}

export async function loadInstanceCard(request: Request, context: Context): Promise<Response> {
  const { cardJson, instanceCard } = await cards();
  const card = instanceCard(context.get(servicesContext).origin);
  return answerCard(request, cardJson(card), 'public, max-age=300');
}

/** A card with its tag, or 304 where the caller has the same one. A card that takes a key to read is kept for that key alone. */
function answerCard(request: Request, card: unknown, cacheControl: string): Response {
  const body = JSON.stringify(card);
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const headers = { ETag: tag, 'Cache-Control': cacheControl, Vary: 'Authorization' };
  const known = (request.headers.get('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } });
}
