import { createRequestHandler } from '@react-router/express';
import type { NextFunction, Request, Response } from 'express';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import { hostName, isLoopback } from '#app/domain/loopback.ts';
import { BodyLimit, bodyMaxBytes } from '#app/platform/http/body-limit.ts';
import { refuse } from '#app/platform/http/request-guard.ts';

const TOO_LARGE = 'This is larger than 1 MB, the most that one form may send.';

/**
 * React Router behind a request that has been made safe: its address is the public origin whatever the proxy sent, and
 * its body is capped. The adapter reads nothing else of an Express request than what stands below.
 */
export function reactRouterHandler(options: {
  origin: URL;
  /** A function in development, where the build changes; React Router prepares a fixed one once. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  context: (response: Response) => RouterContextProvider;
}) {
  const handle = createRequestHandler({ build: options.build, getLoadContext: (_seen, response) => options.context(response) });
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const limit = bodyMaxBytes(request.path);
    if (Number(request.get('Content-Length') ?? 0) > limit) return tooLarge(request, response);
    const body = new BodyLimit(limit, () => tooLarge(request, response));
    const host = isLoopback(options.origin.hostname) ? (request.host ?? options.origin.host) : options.origin.host;
    const { port } = new URL(`${options.origin.protocol}//${host}`);
    const headers = Object.fromEntries(
      Object.entries({ ...request.headers, host }).filter(([name]) => !/^(?:x-forwarded-|forwarded$)/.test(name)),
    );
    const seen = Object.assign(body, {
      app: { enabled: () => false },
      // The adapter looks here for the port alone, and takes what stands after the first colon (an IPv6 host has more).
      get: (name: string) => (name.toLowerCase() === 'host' ? `host:${port}` : request.get(name)),
      headers,
      hostname: hostName(host),
      method: request.method,
      originalUrl: request.originalUrl,
      protocol: options.origin.protocol.slice(0, -1),
    });
    request.on('error', (error) => body.destroy(error)).pipe(body);
    await handle(seen as unknown as Request, response, next);
  };
}

/** The rest of the body is not read: the connection ends with the answer. */
function tooLarge(request: Request, response: Response): void {
  if (response.headersSent) return;
  response.set('Connection', 'close');
  response.once('finish', () => request.destroy());
  refuse(response, 413, TOO_LARGE);
}
