/** Peers of strangers, in this process, that behave and misbehave as told. Real servers on the loopback interface. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

export type Stranger = {
  origin: string;
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[];
  /** Tells whoever listens that the list of tools has changed. */
  announce?(): void;
  stop(): Promise<void>;
};

/** Any HTTP server. `answer` gets the body whole. */
export async function startStranger(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void | Promise<void>,
): Promise<Stranger> {
  const requests: Stranger['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      void answer(request, body, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type ToolAnswer = { content: { type: 'text'; text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean };
export type StrangerTool = {
  name: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };
  run: (input: Record<string, unknown>) => ToolAnswer | Promise<ToolAnswer>;
};

/** An MCP server made with the SDK. `tools` is read at every request, so that a test changes it as it likes; `before` may answer in its place. */
export async function startStrangerServer(world: {
  tools: StrangerTool[];
  /** For how long its list holds, where it says so. */
  ttlMs?: number;
  before?: (request: IncomingMessage, body: string, response: ServerResponse) => boolean;
}): Promise<Stranger> {
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'stranger', version: '3.2.1', title: 'A stranger' },
      { capabilities: { tools: {} }, ...(world.ttlMs === undefined ? {} : { cacheHints: { 'tools/list': { ttlMs: world.ttlMs } } }) },
    );
    for (const tool of world.tools) {
      server.registerTool(
        tool.name,
        {
          description: tool.description ?? '',
          ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
          inputSchema: fromJsonSchema<Record<string, unknown>>((tool.inputSchema ?? { type: 'object' }) as never),
          ...(tool.outputSchema === undefined ? {} : { outputSchema: fromJsonSchema<Record<string, unknown>>(tool.outputSchema as never) }),
        },
        async (input) => tool.run(input),
      );
    }
    return server;
  });
  const stranger = await startStranger(async (request, body, response) => {
    if (world.before?.(request, body, response)) return;
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) return void response.end();
    // A stream of notifications does not end on its own.
    const reader = answer.body.getReader();
    response.on('close', () => void reader.cancel().catch(() => undefined));
    for (let part = await reader.read(); !part.done; part = await reader.read()) response.write(part.value);
    response.end();
  });
  return Object.assign(stranger, { announce: () => handler.notify.toolsChanged() });
}
