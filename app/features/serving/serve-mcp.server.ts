import type { RouterContextProvider } from 'react-router';
import { reachWorkspace } from '#app/features/serving/reach-workspace.server.ts';

type Arguments = { request: Request; params: { workspace: string }; context: Readonly<RouterContextProvider> };

/** The MCP endpoint of a workspace. */
export function serveMcp({ request, params, context }: Arguments): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, async (caller, deps) => {
    const { serveWorkflows } = await import('#app/engine/mcp/serve-workflows.ts');
    return serveWorkflows(request, caller, deps);
  });
}
