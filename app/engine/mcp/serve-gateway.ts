import type { CallToolResult, ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Json } from '#app/contracts/json.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { AppError } from '#app/domain/errors.ts';
import { isJsonObject } from '#app/engine/connections/peer-json.ts';
import { type ServedServer, type ServedTool, serveTools } from '#app/engine/mcp/serve-tools.ts';
import { callsOf, listsTools, runOutcome } from '#app/engine/mcp/served-tools.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { type GatewayServes, readServedGateway } from '#app/engine/serving/served-gateway.ts';
import { GET_RUN } from '#app/engine/serving/tool-names.ts';

/** As many as any gateway has. */
const MOST_LISTED = 10_000;

/**
 * A gateway of the workspace of a key as an MCP server: the tools that it holds, each call a run of one step under every policy, and `get_run`.
 * A call that has ended answers as its tool did; one that waits for a person answers as a workflow's does.
 * @throws AppError not_found where there is no such gateway, or it is paused; forbidden where it is not for the caller
 */
export function serveGateway(request: Request, caller: Caller, deps: ServingDeps, address: string): Promise<Response> {
  return serveTools(request, { caller, deps }, (body) => gatewayServer(caller, body, { address, origin: deps.origin }));
}

async function gatewayServer(
  caller: Caller,
  body: unknown,
  { address, origin }: { address: string; origin: string },
): Promise<ServedServer> {
  const workspaceId = caller.key.workspace.id;
  const called = callsOf(body);
  const part = listsTools(body) ? { after: '', limit: MOST_LISTED } : { tools: called, calls: called.length };
  const gateway = await caller.read((db) => readServedGateway(db, { workspaceId, address, part }));
  if (gateway === null) throw new AppError('not_found');
  if (!gateway.admitted) throw new AppError('forbidden', { values: { what: 'gateway' } });
  const about = visibleText(gateway.description);
  return {
    title: visibleText(gateway.name),
    instructions: `${about === '' ? '' : `${about}\n\n`}Each call is judged by the policies of the workspace ${caller.key.workspace.name} and recorded. One that waits for a person answers with a handle, and is carried out once, when that person has approved it; ${GET_RUN} says how it stands.`,
    tools: gateway.tools.map((served): [string, ServedTool] => [served.name, toolOf(served, origin)]),
    busy: gateway.wait === null ? null : { calls: called, seconds: gateway.wait.seconds, text: busyText(gateway.wait) },
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

/** What a tool answered, from the output that its step kept. `structured`: it states a schema of it. */
function toolResult(output: Json, structured: boolean): CallToolResult {
  if (structured && isJsonObject(output)) return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
  if (!isJsonObject(output) || typeof output.text !== 'string') return { content: [{ type: 'text', text: JSON.stringify(output) }] };
  const { text, content } = output;
  const others = (Array.isArray(content) ? content : []) as unknown as ContentBlock[];
  return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...others] };
}
