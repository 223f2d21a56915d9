import type { RouterContextProvider } from 'react-router';
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
    const { serveGateway } = await import('#app/engine/mcp/serve-gateway.ts');
    return serveGateway(request, caller, deps, params.gateway);
  });
}
