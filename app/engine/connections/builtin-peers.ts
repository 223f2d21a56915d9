import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCompliance } from '#app/engine/a2a/compliance-copilot/copilot-server.ts';
import { BUILTIN_COPILOT_ENDPOINT, BUILTIN_PATHS, BUILTIN_TOOLS_ENDPOINT } from '#app/engine/connections/peer-target.ts';
import { createBuiltinTools } from '#app/engine/mcp/builtin-tools/builtin-tools-server.ts';

const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const TOOLS_PATH = BUILTIN_PATHS[BUILTIN_TOOLS_ENDPOINT] ?? '';
const COPILOT_PATH = BUILTIN_PATHS[BUILTIN_COPILOT_ENDPOINT] ?? '';

/**
 * Starts the built-in MCP server and A2A agent on a free port of the loopback interface. They are for this process: a
 * request without its token, from a browser's page, or under another host name is refused before its body is read.
 */
export async function startBuiltinPeers(options: { host: '127.0.0.1'; token: string }): Promise<{ origin: string; stop(): Promise<void> }> {
  const tools = createBuiltinTools();
  const expected = digest(`Bearer ${options.token}`);
  let origin = '';
  let compliance: ReturnType<typeof createCompliance> | null = null;

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, expected, new URL(origin).host);
    if (refusal !== null) return send(response, refusal, '{"error":"refused"}');
    const body = await readBody(request);
    if (body === null) return send(response, 413, '{"error":"too large"}');
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === TOOLS_PATH) {
      const answer = await tools.fetch(
        new Request(`${origin}${path}`, {
          method: request.method ?? 'GET',
          headers: plainHeaders(request),
          ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
      return;
    }
    if (compliance !== null && (path === COPILOT_PATH || path.startsWith(`${COPILOT_PATH}/`))) {
      const answer = await compliance({
        method: request.method ?? 'GET',
        path: path.slice(COPILOT_PATH.length),
        headers: plainHeaders(request),
        body: body.toString('utf8'),
      });
      return send(response, answer.status, answer.body);
    }
    return send(response, 404, '{"error":"not found"}');
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) send(response, 500, '{"error":"internal"}');
      else response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, options.host, () => resolve());
  });
  origin = `http://${options.host}:${(server.address() as AddressInfo).port}`;
  compliance = createCompliance(`${origin}${COPILOT_PATH}`);
  return {
    origin,
    stop: async () => {
      await tools.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function refusalOf(request: IncomingMessage, expected: Buffer, host: string): number | null {
  if (request.headers.host !== host || request.headers.origin !== undefined) return 403;
  return timingSafeEqual(digest(request.headers.authorization ?? ''), expected) ? null : 401;
}

/** Padded to equal length, so that comparing takes the same time for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  return headers;
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
