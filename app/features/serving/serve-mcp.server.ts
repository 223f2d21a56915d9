import type { RouterContextProvider } from 'react-router';
import { serveWorkflows } from '#app/engine/mcp/serve-workflows.ts';
import { reachWorkspace } from '#app/features/serving/reach-workspace.server.ts';

type Arguments = { request: Request; params: { workspace: string }; context: Readonly<RouterContextProvider> };

/** The MCP endpoint of a workspace. */
export function serveMcp({ request, params, context }: Arguments): Promise<Response> {
  return reachWorkspace({ request, workspace: params.workspace, context }, (caller, deps) => serveWorkflows(request, caller, deps));
}
