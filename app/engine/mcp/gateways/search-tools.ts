import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { inputSchemaOf } from '#app/domain/workflows/workflow.ts';
import type { GatewayServing } from '#app/engine/mcp/gateways/open-gateway.ts';
import { refusing } from '#app/engine/mcp/serve-tools.ts';
import { searchServedGateway } from '#app/engine/serving/served-gateway.ts';
import { SEARCH_TOOLS } from '#app/engine/serving/tool-names.ts';

const MOST_FOUND = 20;
const MOST_WORDS = 12;

const QUERY = z.object({
  query: z.string().min(1).max(400).describe('Words of what the tool should do, for example: pay an invoice'),
  limit: z.int().min(1).max(MOST_FOUND).default(10),
});
type Found = { tools: { name: string; title: string; description: string; inputSchema: object }[] };
const FOUND = fromJsonSchema<Found>({
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string' },
          inputSchema: { type: 'object' },
        },
        required: ['name', 'title', 'description', 'inputSchema'],
      },
    },
  },
  required: ['tools'],
});

export const SEARCH_TOOL = {
  title: 'Search tools',
  description: 'Finds tools of this server by words of their name, title and description. Any tool that it finds can be called.',
  inputSchema: QUERY,
  outputSchema: FOUND,
  annotations: { readOnlyHint: true },
};

/** Lets callers search the tools of a gateway. `listed`: not kept out of the list that this message asks for, since that is all there is. */
export function registerSearch(server: McpServer, { caller, deps, address }: GatewayServing, { listed }: { listed: boolean }): void {
  const tool = server.registerTool(SEARCH_TOOLS, SEARCH_TOOL, ({ query, limit }) =>
    refusing<CallToolResult>({ caller, deps }, async () => {
      const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter((word) => word.length > 1).slice(0, MOST_WORDS);
      const workspaceId = caller.key.workspace.id;
      const found = await caller.read((db) => searchServedGateway(db, { workspaceId, address, words, limit }));
      const structuredContent: Found = {
        tools: found.map(({ name, title, description, document }) => ({
          name,
          title: visibleText(title),
          description: visibleText(description),
          inputSchema: inputSchemaOf(document) as object,
        })),
      };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    }),
  );
  if (!listed) tool.disable();
}
