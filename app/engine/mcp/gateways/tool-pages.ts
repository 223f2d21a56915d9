import { type McpServer, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolConfig } from '#app/engine/mcp/serve-tools.ts';

/** Tools on one page of a list. A gateway with more has a tool that searches them. */
export const PAGE_OF_TOOLS = 100;

const listing = z.object({ method: z.literal('tools/list'), params: z.object({ cursor: z.string().optional() }).optional() });

/** The name that the page asked for begins behind: '' for the first, null for a cursor that is none of ours. */
export function pageAskedFor(body: unknown): string | null {
  const cursor = listing.safeParse(body).data?.params?.cursor;
  if (cursor === undefined) return '';
  const name = Buffer.from(cursor, 'base64url').toString();
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : null;
}

/** Answers lists by page. `next`: the last name of this one, where there is another. `tools`: those of this page. */
export function listByPage(server: McpServer, tools: readonly [string, ToolConfig][], page: { next: string | null; known: boolean }): void {
  server.server.setRequestHandler('tools/list', () => {
    if (!page.known) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is unknown. Ask for the list without one.');
    const listed = tools.map(([name, tool]) => listedTool(name, tool));
    return { tools: listed, ...(page.next === null ? {} : { nextCursor: Buffer.from(page.next).toString('base64url') }) };
  });
}

function listedTool(name: string, { inputSchema, outputSchema, ...shown }: ToolConfig): Tool {
  const target = { target: 'draft-2020-12' } as const;
  return {
    name,
    ...shown,
    inputSchema: inputSchema['~standard'].jsonSchema.input(target) as Tool['inputSchema'],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema['~standard'].jsonSchema.output(target) as Tool['outputSchema'] }),
  };
}
