import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Json } from '#app/contracts/json.ts';
import { ANNOTATIONS, type BuiltinTool, ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { BUILTIN_TOOLS } from '#app/engine/mcp/builtin-tools/builtin-tools.ts';

export const BUILTIN_TOOLS_VERSION = '1.0.0';

/** Schemas are compiled once: the server object itself is made again for every request. */
const REGISTERED = BUILTIN_TOOLS.map((tool) => ({
  tool,
  config: {
    title: tool.title,
    description: tool.description,
    inputSchema: fromJsonSchema<{ [key: string]: Json }>(tool.inputSchema),
    outputSchema: fromJsonSchema<{ [key: string]: Json }>(tool.outputSchema),
    annotations: ANNOTATIONS,
  },
}));

/** The built-in MCP server, for clients of every era. Who may reach it is decided before it. */
export function createBuiltinTools(): { fetch(request: Request): Promise<Response>; close(): Promise<void> } {
  return createMcpHandler(() => {
    const server = new McpServer(
      { name: 'quorate-tools', title: 'Quorate tools', version: BUILTIN_TOOLS_VERSION },
      { capabilities: { tools: {} }, instructions: 'Tools for regulated work. They compute from their input alone and keep nothing.' },
    );
    for (const { tool, config } of REGISTERED) server.registerTool(tool.name, config, async (input) => answer(tool, input));
    return server;
  });
}

async function answer(tool: BuiltinTool, input: { [key: string]: Json }) {
  try {
    const output = await tool.run(input);
    return { content: [{ type: 'text' as const, text: JSON.stringify(output) }], structuredContent: output };
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    return { content: [{ type: 'text' as const, text: error.message }], isError: true };
  }
}
