import type { RouterContextProvider } from 'react-router';
import { openEventStream } from '#app/components/live/event-stream.server.ts';
import { watchList } from '#app/engine/mcp/gateways/list-changes.ts';
import { type GatewayServing, openGateway } from '#app/engine/mcp/gateways/open-gateway.ts';
import { reachWorkspace } from '#app/features/serving/reach-workspace.server.ts';

type Arguments = { request: Request; params: { workspace: string }; context: Readonly<RouterContextProvider> };

/** Loaded by the first call. To ask the loader again costs each call a tenth of what the server does for it. */
let loading: Promise<typeof import('#app/engine/mcp/serve-workflows.ts')> | undefined;

/** The MCP endpoint of a workspace. */
export function serveMcp({ request, params, context }: Arguments): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    loading ??= import('#app/engine/mcp/serve-workflows.ts');
    const { serveWorkflows } = await loading;
    return serveWorkflows(request, caller, deps);
  });
}

/** The MCP endpoint of one gateway of a workspace. */
export function serveMcpGateway({
  request,
  params,
  context,
}: Omit<Arguments, 'params'> & { params: { workspace: string; gateway: string } }): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    if (listens(request)) return gatewayStream(request, { caller, deps, address: params.gateway });
    const { serveGateway } = await import('#app/engine/mcp/serve-gateway.ts');
    return serveGateway(request, caller, deps, params.gateway);
  });
}

/** The revisions before 2026-07-28 listen by a GET. Later ones have none, and are refused one as with every other address. */
function listens(request: Request): boolean {
  const version = request.headers.get('MCP-Protocol-Version');
  const streams = (request.headers.get('Accept') ?? '').includes('text/event-stream');
  return request.method === 'GET' && streams && (version === null || version < '2026-07-28');
}

/** Tells a client that its list of tools is another one now, until it leaves or the stream has lasted long enough. */
async function gatewayStream(request: Request, serving: GatewayServing): Promise<Response> {
  const gateway = await openGateway(serving);
  const watch = await watchList(serving, gateway.id);
  return openEventStream(request.signal, (stream) => ({
    stop: watch(() => stream.send('message', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })),
  }));
}
