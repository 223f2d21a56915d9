/** An MCP server of someone else, in this process, that counts what reaches it. It stands while the product is killed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

export type PeerCall = {
  tool: string;
  key: string;
  /** What the workflow sent as `text`. */
  text: string;
  at: number;
  /** Null: the caller went away before the answer. */
  answeredAt: number | null;
  over: boolean;
};

export type CountingPeer = {
  origin: string;
  calls: PeerCall[];
  /** How long a call takes. */
  delayMs: number;
  /** Until `release`, nothing but what began before is answered on this path. */
  hold(path: string): void;
  release(path: string): void;
  /** Requests of any kind that wait on a held path. */
  held(path: string): number;
  stop(): Promise<void>;
};

const TOOLS = { work: { done: true }, grade: { risk: 'high' } } as const;

function createTools(): McpServer {
  const server = new McpServer({ name: 'counting-peer', version: '1.0.0', title: 'A peer that counts' }, { capabilities: { tools: {} } });
  for (const [name, output] of Object.entries(TOOLS)) {
    server.registerTool(
      name,
      {
        description: `Does the ${name}`,
        inputSchema: fromJsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
        outputSchema: fromJsonSchema<Record<string, unknown>>({ type: 'object' }),
      },
      async () => ({ content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output }),
    );
  }
  return server;
}

export async function startCountingPeer(): Promise<CountingPeer> {
  const handler = createMcpHandler(createTools);
  const gates = new Map<string, { opened: Promise<void>; open(): void; waiting: number }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      answer(body).catch(() => response.destroy());
    });
    async function answer(body: string): Promise<void> {
      const gate = gates.get(request.url ?? '');
      if (gate !== undefined) {
        gate.waiting += 1;
        await gate.opened;
        if (response.destroyed) return;
      }
      const message = body === '' ? null : JSON.parse(body);
      if (message?.method === 'tools/call') {
        const call: PeerCall = {
          tool: message.params.name,
          key: String(request.headers['idempotency-key']),
          text: String(message.params.arguments.text),
          at: Date.now(),
          answeredAt: null,
          over: false,
        };
        peer.calls.push(call);
        response.once('close', () => {
          call.over = true;
          if (response.writableFinished) call.answeredAt = Date.now();
        });
        await pause(peer.delayMs);
      }
      const answered = await handler.fetch(
        new Request(`http://${request.headers.host}${request.url}`, {
          method: request.method ?? 'GET',
          headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
          ...(body === '' ? {} : { body }),
        }),
      );
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(Buffer.from(await answered.arrayBuffer()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer: CountingPeer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    delayMs: 20,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(path, { opened: promise, open: resolve, waiting: 0 });
    },
    release(path) {
      gates.get(path)?.open();
      gates.delete(path);
    },
    held: (path) => gates.get(path)?.waiting ?? 0,
    stop: () =>
      new Promise((resolve) => {
        for (const gate of gates.values()) gate.open();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return peer;
}
