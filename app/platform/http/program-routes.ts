import { writeReadableStreamToWritable } from '@react-router/node';
import type { Response as Answer, Request as Arrived } from 'express';
import type { ActionFunction, MiddlewareFunction, RouterContextProvider, ServerBuild } from 'react-router';

type Call = Parameters<ActionFunction>[0];
type Params = Record<string, string>;

/** `handle`: the route's loader or action; `around`: its middleware, outermost first. */
type ProgramRoute = { pattern: string; handle: (call: Call) => unknown; around: readonly MiddlewareFunction<Response>[] };
type Found = ProgramRoute & { params: Params };
export type ProgramRoutes = (method: string, path: string) => Found | null;

/** The addresses that programs call most: MCP, A2A, the API, and SCIM. */
const ADDRESSES = /^(?:mcp\/|a2a(?:\/|$)|api\/v1\/|scim\/v2\/)/;
/** Methods of an action. The API's others are rare, and SCIM's are not. */
const CHANGES = (path: string) => (path.startsWith('scim/') ? ['POST', 'PUT', 'PATCH', 'DELETE'] : ['POST']);
/** Exactly as written in the routes, with nothing to decode or to normalize. Any other spelling goes to the router. */
const PLAIN_PATH = /^(?:\/[\w:~-][\w.:~-]*)+$/;

const JSON_TYPE = /^application\/(?:problem\+|scim\+)?json\b/;

/**
 * The routes of programs, found without the router: it matches each call with all pages three times and prepares what only they need,
 * which took longer than most calls. `outermost` of the root's middleware is all that concerns programs. Null: the router answers.
 */
export function findProgramRoutes(build: ServerBuild, outermost: MiddlewareFunction<Response>): ProgramRoutes {
  const routes = Object.values(build.routes).flatMap((route) => {
    if (route === undefined || route.parentId !== 'root' || !ADDRESSES.test(route.path ?? '')) return [];
    const { loader, action, middleware = [] } = route.module;
    const pattern = `/${route.path}`;
    const methods = new Map([['GET', loader] as const, ...CHANGES(route.path ?? '').map((method) => [method, action] as const)]);
    return [{ pattern, segments: pattern.split('/'), methods, middleware }];
  });
  return (method, path) => {
    if (!PLAIN_PATH.test(path) || path.endsWith('.data')) return null;
    const segments = path.split('/');
    const found = routes
      .map((route) => ({ ...route, params: paramsOf(route.segments, segments) }))
      .filter((route) => route.params !== null)
      .sort((a, b) => wildness(a.segments) - wildness(b.segments))[0];
    const handle = found?.methods.get(method);
    if (found?.params == null || handle === undefined) return null;
    return {
      pattern: found.pattern,
      params: found.params,
      handle: handle as ProgramRoute['handle'],
      around: [outermost, ...found.middleware],
    };
  };
}

/** The values of the pattern's parameters, or null if the address does not match. */
function paramsOf(pattern: readonly string[], segments: readonly string[]): Params | null {
  const rest = pattern.at(-1) === '*';
  if (rest ? segments.length < pattern.length : segments.length !== pattern.length) return null;
  const params: Params = rest ? { '*': segments.slice(pattern.length - 1).join('/') } : {};
  for (const [at, part] of pattern.entries()) {
    if (part === '*') break;
    if (part.startsWith(':')) params[part.slice(1)] = segments[at] ?? '';
    else if (part !== segments[at]) return null;
  }
  return params;
}

/** The router prefers static segments to parameters. */
const wildness = (pattern: readonly string[]) =>
  pattern.reduce((sum, part) => sum + (part === '*' ? 100 : part.startsWith(':') ? 1 : 0), 0);

/** Returns one call. `body`: all of it; null for none. */
export async function answerProgram(
  { pattern, params, handle, around }: Found,
  {
    arrived,
    answer,
    url,
    headers,
    body,
    context,
  }: {
    arrived: Arrived;
    answer: Answer;
    url: URL;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer | null;
    context: RouterContextProvider;
  },
): Promise<void> {
  const gone = new AbortController();
  answer.once('close', () => {
    if (!answer.writableFinished) gone.abort();
  });
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one) sent.append(name, one);
  const request = new Request(url, {
    method: arrived.method,
    headers: sent,
    signal: gone.signal,
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  });
  const call: Call = { request, url, params, context, pattern };
  const step = async (at: number): Promise<Response> => {
    const middleware = around[at];
    if (middleware === undefined) return (await handle(call)) as Response;
    let next: Promise<Response> | undefined;
    const result = await middleware(call, () => {
      next ??= step(at + 1);
      return next;
    });
    return result ?? (await (next ?? step(at + 1)));
  };
  let response: Response;
  try {
    response = await step(0);
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    response = thrown;
  }
  await send(answer, response);
}

async function send(answer: Answer, response: Response): Promise<void> {
  if (answer.destroyed || answer.writableEnded) return void (await response.body?.cancel());
  answer.statusMessage = response.statusText;
  answer.status(response.status);
  for (const [name, value] of response.headers) answer.append(name, value);
  if (response.body === null) return void answer.end();
  const type = response.headers.get('Content-Type') ?? '';
  // An answer that does not say how long it is would be sent in pieces and compressed however short it is.
  if (response.headers.has('Content-Length') || JSON_TYPE.test(type)) {
    const body = Buffer.from(await response.arrayBuffer());
    return void answer.set('Content-Length', String(body.byteLength)).end(body);
  }
  if (/text\/event-stream/i.test(type)) answer.flushHeaders();
  try {
    await writeReadableStreamToWritable(response.body, answer);
  } catch (error) {
    if (!answer.destroyed && !answer.writableEnded) throw error;
  }
}
