import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Witness } from '#app/witness/open-witness.ts';

/** A request of 63 hashes and a checkpoint with many signatures is a tenth of this. */
const MOST_BYTES = 64 * 1024;
const HEADERS_MS = 10_000;

/** Serves a witness until it is closed. Port 0: any that is free. */
export async function serveWitness(
  witness: Witness,
  { host, port }: { host: string; port: number },
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer({ requestTimeout: HEADERS_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    answer(witness, request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      if (!response.headersSent) send(response, 500, 'something went wrong\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  const listening = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${listening}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/' } = request;
  const path = url.split('?')[0];
  const [, origin] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path ?? '') ?? [];
  if (origin !== undefined && (method === 'GET' || method === 'HEAD')) {
    const note = await witness.held(origin);
    return send(response, note === null ? 404 : 200, note ?? 'nothing was signed of this log\n', 'text/plain; charset=utf-8', method);
  }
  if (path !== '/add-checkpoint' && path !== '/add-succession') return send(response, 404, 'there is no such thing here\n');
  if (method !== 'POST') return send(response.setHeader('Allow', 'POST'), 405, 'use POST\n');
  const body = await readBody(request);
  if (body === null) return send(response.setHeader('Connection', 'close'), 413, 'too long\n');
  const { status, body: text, type } = await (path === '/add-succession' ? witness.follow(body) : witness.add(body));
  send(response, status, text, type);
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8', method = 'GET'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Null: more than a request has. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    length += bytes.length;
    if (length > MOST_BYTES) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}
