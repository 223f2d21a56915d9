import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { type ServedServer, type ServedTool, serveTools } from '#app/engine/mcp/serve-tools.ts';
import { OUTCOME, runOutcome, toolAskedFor } from '#app/engine/mcp/served-tools.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { readCatalog, type ServedCatalog } from '#app/engine/serving/served-catalog.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { GET_RUN } from '#app/engine/serving/tool-names.ts';

/** The workspace of a key as an MCP server: its published workflows as tools, and `get_run`. */
export function serveWorkflows(request: Request, caller: Caller, deps: ServingDeps): Promise<Response> {
  return serveTools(request, { caller, deps }, async (body) => workspaceServer(caller, body, await readCatalog(caller), deps.origin));
}

function workspaceServer(caller: Caller, body: unknown, catalog: ServedCatalog, origin: string): ServedServer {
  const { name } = caller.key.workspace;
  return {
    title: name,
    instructions: `Workflows of the workspace ${name}. Each call starts a run under the policies of the workspace. A run that waits for a person goes on when that person has decided; ${GET_RUN} says how it stands.`,
    tools: workflowsFor(body, catalog).map(([tool, workflow]): [string, ServedTool] => [
      tool,
      {
        workflow,
        title: visibleText(workflow.name),
        description: visibleText(workflow.description) || `Runs the workflow “${visibleText(workflow.name)}”.`,
        outputSchema: OUTCOME,
        result: (run) => runOutcome(run, origin),
      },
    ]),
  };
}

function workflowsFor(body: unknown, { tools }: ServedCatalog): [string, ServedWorkflow][] {
  const asked = toolAskedFor(body);
  if (asked === 'all') return [...tools];
  const called = asked === null ? undefined : tools.get(asked.name);
  return asked === null || called === undefined ? [] : [[asked.name, called]];
}
