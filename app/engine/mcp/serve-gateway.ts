import type { CallToolResult, ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Json } from '#app/contracts/json.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { isJsonObject } from '#app/engine/connections/peer-json.ts';
import { listChanges } from '#app/engine/mcp/gateways/list-changes.ts';
import { type GatewayServing, openGateway } from '#app/engine/mcp/gateways/open-gateway.ts';
import { registerSearch, SEARCH_TOOL } from '#app/engine/mcp/gateways/search-tools.ts';
import { listByPage, PAGE_OF_TOOLS, pageAskedFor } from '#app/engine/mcp/gateways/tool-pages.ts';
import { GET_RUN_TOOL, type ServedServer, type ServedTool, serveTools, type ToolConfig, toolConfig } from '#app/engine/mcp/serve-tools.ts';
import { asksFor, callsOf, runOutcome } from '#app/engine/mcp/served-tools.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import type { GatewayServes } from '#app/engine/serving/served-gateway.ts';
import { GET_RUN, SEARCH_TOOLS } from '#app/engine/serving/tool-names.ts';

/**
 * A gateway of the workspace of a key as an MCP server: the tools that it holds, each call a run of one step under every policy, and `get_run`.
 * A call that has ended answers as its tool did; one that waits for a person answers as a workflow's does.
 * @throws AppError not_found where there is no such gateway, or it is paused; forbidden where it is not for the caller
 */
export function serveGateway(request: Request, caller: Caller, deps: ServingDeps, address: string): Promise<Response> {
  return serveTools(request, { caller, deps }, (body) => gatewayServer({ caller, deps, address }, body));
}

async function gatewayServer(serving: GatewayServing, body: unknown): Promise<ServedServer> {
  const { caller, deps, address } = serving;
  const calls = callsOf(body);
  const after = pageAskedFor(body);
  const lists = asksFor(body, 'tools/list');
  // One more tells whether there is another page.
  const gateway = await openGateway(
    { caller, address },
    lists ? { after: after ?? '', limit: PAGE_OF_TOOLS + 1 } : { tools: calls, calls: calls.length },
  );
  const about = visibleText(gateway.description);
  const shown = lists ? gateway.tools.slice(0, PAGE_OF_TOOLS) : gateway.tools;
  const next = gateway.tools.length > shown.length ? (shown.at(-1)?.name ?? null) : null;
  const tools = shown.map((served): [string, ServedTool] => [served.name, toolOf(served, deps.origin)]);
  const pages = next !== null || after !== '';
  return {
    title: visibleText(gateway.name),
    instructions: `${about === '' ? '' : `${about}\n\n`}Each call is judged by the policies of the workspace ${caller.key.workspace.name} and recorded. One that waits for a person answers with a handle, and is carried out once, when that person has approved it; ${GET_RUN} says how it stands. Where the list of tools has several pages, ${SEARCH_TOOLS} finds tools by what they do; each one found can be called.`,
    tools,
    busy: gateway.wait === null ? null : { calls, seconds: gateway.wait.seconds, text: busyText(gateway.wait) },
    ...(asksFor(body, 'subscriptions/listen') ? { bus: await listChanges(serving, gateway.id) } : {}),
    extend(server) {
      registerSearch(server, serving, { listed: pages || !lists });
      if (!pages) return;
      // Those of every gateway stand on the first page, before its own.
      const always: [string, ToolConfig][] =
        after === ''
          ? [
              [GET_RUN, GET_RUN_TOOL],
              [SEARCH_TOOLS, SEARCH_TOOL],
            ]
          : [];
      const own = tools.map(([name, tool]): [string, ToolConfig] => [name, toolConfig(tool)]);
      listByPage(server, [...always, ...own], { next, known: after !== null });
    },
  };
}

function busyText({ seconds, of, pace }: { seconds: number; of: 'caller' | 'gateway'; pace: number }): string {
  const whose = of === 'caller' ? 'one caller' : 'all callers together';
  return `This gateway takes at most ${pace} calls a minute from ${whose}. Nothing was started. Try again in ${seconds} seconds.`;
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function toolOf({ title, description, definition, workflow }: GatewayServes, origin: string): ServedTool {
  const stated = isJsonObject(definition) ? definition : {};
  const hints = isJsonObject(stated.annotations) ? stated.annotations : {};
  const annotations: ToolAnnotations = Object.fromEntries(
    HINTS.flatMap((hint) => (typeof hints[hint] === 'boolean' ? [[hint, hints[hint]]] : [])),
  );
  const structured = isJsonObject(stated.outputSchema);
  return {
    workflow,
    title: visibleText(title),
    description: visibleText(description) || `Calls the tool “${visibleText(title)}”.`,
    annotations,
    result: (run) => (run.status === 'completed' ? toolResult(run.output, structured) : runOutcome(run, origin)),
  };
}

/** The answer of a tool, from the output that its step kept. `structured`: it states a schema of it. */
function toolResult(output: Json, structured: boolean): CallToolResult {
  if (structured && isJsonObject(output)) return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
  if (!isJsonObject(output) || typeof output.text !== 'string') return { content: [{ type: 'text', text: JSON.stringify(output) }] };
  const { text, content } = output;
  const others = (Array.isArray(content) ? content : []) as unknown as ContentBlock[];
  return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...others] };
}
