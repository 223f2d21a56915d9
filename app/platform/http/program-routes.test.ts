import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response as Answer, type Request } from 'express';
import { type MiddlewareFunction, matchRoutes, RouterContextProvider, type ServerBuild } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerProgram, findProgramRoutes } from '#app/platform/http/program-routes.ts';
import routes from '#app/routes.ts';

const through: MiddlewareFunction<Response> = (_, next) => next();
const named = (value: string) => async () => new Response(value);
const module = (path: string) => ({ loader: named(`read ${path}`), action: named(`write ${path}`), middleware: [through] });
/** The addresses of programs, read from the routes of the build. */
const paths = routes.flatMap(({ path }) =>
  path !== undefined && /^(?:mcp|a2a|api|hooks|callbacks|\.well-known)/.test(path) ? [path] : [],
);
const build = {
  routes: Object.fromEntries(paths.map((path) => [path, { id: path, parentId: 'root', path, module: module(path) }])),
} as unknown as ServerBuild;
const find = findProgramRoutes(build, through);

test.each([
  '/mcp/acme',
  '/a2a',
  '/a2a/acme/0190a2b4-0000-7000-8000-000000000001',
  '/a2a/acme/w/rest/message:send',
  '/a2a/acme/w/rest/tasks/0190a2b4:cancel',
  '/a2a/acme/w/rest/tasks',
  '/api/v1/runs',
  '/api/v1/runs/0190a2b4',
  '/api/v1/openapi.json',
  '/api/v1/workflows/w/draft',
  '/api/v1/nothing/here',
])('%s leads where the router leads, with the same parts', (path) => {
  const matched = matchRoutes(
    paths.map((one) => ({ path: `/${one}`, id: one })),
    path,
  )?.at(-1);
  const found = find('POST', path);
  expect([found?.pattern, found?.params]).toEqual([`/${matched?.route.path?.slice(1)}`, { ...matched?.params }]);
});

test.each([
  ['GET', '/dashboard'],
  ['GET', '/api/placeholder/10/10'],
  ['POST', '/hooks/one'],
  ['POST', '/callbacks/one/two/three'],
  ['GET', '/.well-known/agent-card.json'],
  ['GET', '/a2a/acme/w/.well-known/agent-card.json'],
  ['GET', '/api/v1/runs.data'],
  ['GET', '/api/v1/runs/'],
  ['GET', '/api/v1//runs'],
  ['GET', '/API/v1/runs'],
  ['GET', '/mcp/%61cme'],
  ['DELETE', '/mcp/acme'],
  ['HEAD', '/api/v1/runs'],
])('%s %s is left to the router', (method, path) => {
  expect(find(method, path)).toBeNull();
});

let server: Server;
let origin: string;
const seen: { aborted: boolean }[] = [];
beforeAll(async () => {
  const app = express();
  const around: MiddlewareFunction<Response>[] = [
    async ({ request }, next) => {
      if (request.headers.get('Authorization') === null)
        return new Response('who?', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
      const response = await next();
      response.headers.set('Cache-Control', 'private, no-store');
      return response;
    },
  ];
  app.use(async (arrived: Request, answer: Answer) => {
    const pieces: Buffer[] = [];
    for await (const piece of arrived) pieces.push(piece);
    const { method, headers } = arrived;
    const body = method === 'POST' ? Buffer.concat(pieces) : null;
    const handle = async ({ request, params }: { request: globalThis.Request; params: Record<string, string | undefined> }) => {
      if (arrived.path === '/stream') return streamUntilGone(request.signal);
      return Response.json({ said: await request.text(), params, type: request.headers.get('Content-Type') });
    };
    const found = { pattern: '/x', params: { x: '1' }, around, handle };
    const url = new URL(arrived.originalUrl, 'http://localhost');
    await answerProgram(found, { arrived, answer, url, headers, body, context: new RouterContextProvider() });
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server?.close());

function streamUntilGone(signal: AbortSignal): Response {
  const entry = { aborted: false };
  seen.push(entry);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
      signal.addEventListener('abort', () => {
        entry.aborted = true;
        controller.close();
      });
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

test('the call reads its body and its parts, and what stands before it may answer in its place', async () => {
  const headers = { Authorization: 'Bearer x', 'Content-Type': 'application/json' };
  const answered = await fetch(`${origin}/x`, { method: 'POST', headers, body: '{"ü":1}' });
  expect(answered.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await answered.json()).toEqual({ said: '{"ü":1}', params: { x: '1' }, type: 'application/json' });
  const refused = await fetch(`${origin}/x`, { method: 'POST', body: '{}' });
  expect([refused.status, refused.headers.get('WWW-Authenticate'), await refused.text()]).toEqual([401, 'Bearer', 'who?']);
});

test('a stream arrives as it is written, and is told when its reader has gone', async () => {
  const leave = new AbortController();
  const answered = await fetch(`${origin}/stream`, { headers: { Authorization: 'Bearer x' }, signal: leave.signal });
  const first = await answered.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n');
  leave.abort();
  await expect.poll(() => seen.at(-1)?.aborted).toBe(true);
});
