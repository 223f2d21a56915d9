import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import compression from 'compression';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Log } from '#app/contracts/ports.ts';
import type { Family } from '#app/domain/metrics/exposition.ts';
import { publicPage } from '#app/domain/web/public-pages.ts';
import type { Env } from '#app/platform/env.server.ts';
import { type Arrival, arrivalOf } from '#app/platform/http/arrival.ts';
import type { PageCache } from '#app/platform/http/page-cache.ts';
import { guardRequest, isOwnHost, METRICS_PATH, PROBES, refuse } from '#app/platform/http/request-guard.ts';
import { isEventStream, logRequest, logRequests } from '#app/platform/http/request-log.ts';
import { securityHeaders } from '#app/platform/http/security-headers.ts';
import { textFiles } from '#app/platform/http/text-files.ts';
import { answerMetrics } from '#app/platform/metrics/answer-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from '#app/platform/metrics/request-metrics.ts';

export type WebAppOptions = {
  env: Env;
  log: Log;
  /** The browser's modules: Vite's middleware in development, the folder of the built files otherwise. */
  modules: { kind: 'vite'; middlewares: RequestHandler } | { kind: 'built'; clientDirectory: string };
  healthy(): Promise<boolean>;
  /** The figures that are told to whoever has the token of `env`, without those of requests; undefined until the start has ended. */
  metrics?(): Promise<readonly Family[]> | undefined;
  /** Returns the pages; undefined until the start has ended. */
  pages(): RequestHandler | undefined;
  /** Answers from the cache, and leaves the rest to `pages`; undefined where there is no cache. */
  pageCache?(): PageCache | undefined;
};

/** On a loopback origin each port is a host of its own. */
const MAX_OWN_HOSTS = 100;

/** Everything in front of the pages, in its order: headers, log, health, refusals, files. */
export function createWebApp({ env, log, modules, healthy, metrics, pages, pageCache }: WebAppOptions): RequestListener {
  const app = express();
  const requests = env.metricsToken === null ? undefined : createRequestMetrics();
  const origin = new URL(env.origin);
  const secure = origin.protocol === 'https:';
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', env.trustProxy);
  app.use((request, response, next) => {
    const arrival = arrivalOf(request, secure);
    response.locals.arrival = arrival;
    response.set('X-Request-Id', arrival.requestId);
    response.set(securityHeaders({ nonce: arrival.nonce, secure, development: modules.kind === 'vite' }));
    next();
  });
  app.use(logRequests(log, (response) => arrivalIn(response).requestId, requests?.note));
  app.get(PROBES.live, (_request, response) => refuse(response, 200, 'ok'));
  app.get([...PROBES.ready], async (_request, response) => {
    const well = await healthy();
    if (!well) response.set('Retry-After', '2');
    refuse(response, well ? 200 : 503, well ? 'ok' : 'not ready');
  });
  if (env.metricsToken !== null) app.get(METRICS_PATH, tellMetrics(env.metricsToken, requests, metrics));
  app.use(guardRequest(origin));
  app.use((request, response, next) => {
    if (publicPage(request.path) === null) response.set('X-Robots-Tag', 'noindex');
    const kept = pageCache?.();
    return kept === undefined ? next() : kept.handle(request, response, next);
  });
  // Compressing holds events back until enough have come.
  app.use(compression({ filter: (request, response) => !isEventStream(response) && compression.filter(request, response) }));
  for (const handler of modules.kind === 'vite' ? [modules.middlewares] : builtFiles(modules.clientDirectory)) app.use(handler);
  app.use((request, response, next) => {
    const handler = pages();
    if (handler === undefined) return refuse(response.set('Retry-After', '2'), 503, 'Quorate is starting.');
    return handler(request, response, next);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { requestId } = arrivalIn(response);
    const status = statusOf(error);
    if (status === 500) log.error('request failed', { request: requestId, error });
    if (response.headersSent) return void response.destroy();
    refuse(response, status, status === 500 ? `Something went wrong. Reference: ${requestId}` : 'This request cannot be answered.');
  });
  return pageCache === undefined ? app : answeringAtOnce({ app, pageCache, log, origin, secure, note: requests?.note });
}

function tellMetrics(token: string, requests: RequestMetrics | undefined, metrics: WebAppOptions['metrics']): RequestHandler {
  return (request, response, next) => {
    const read = async () => [...((await metrics?.()) ?? []), ...(requests?.read() ?? [])];
    answerMetrics(request, response, { token, read }).catch(next);
  };
}

/**
 * Kept pages in front of everything: the same checks and headers at a fraction of the cost. A host that only a proxy names, a page that is
 * not there yet and every refusal go the long way.
 */
function answeringAtOnce(options: {
  app: express.Express;
  pageCache: NonNullable<WebAppOptions['pageCache']>;
  log: Log;
  origin: URL;
  secure: boolean;
  note: RequestMetrics['note'] | undefined;
}): RequestListener {
  const { app, pageCache, log, origin, secure, note } = options;
  const headers = Object.entries(securityHeaders({ nonce: '', secure, development: false }));
  const ownHosts = new Set<string>();
  const isOwn = (host: string) => {
    if (ownHosts.has(host)) return true;
    if (!isOwnHost(host, origin)) return false;
    if (ownHosts.size < MAX_OWN_HOSTS) ownHosts.add(host);
    return true;
  };
  return (request, response) => {
    const kept = pageCache();
    const { host = '', 'x-forwarded-host': forwarded } = request.headers;
    if (kept === undefined || forwarded !== undefined || !isOwn(host)) return void app(request, response);
    const began = performance.now();
    const requestId = randomUUID();
    if (!kept.answerAtOnce(request, response, [...headers, ['X-Request-Id', requestId]])) return void app(request, response);
    logRequest(log, { request, path: (request.url ?? '').replace(/\?.*$/, ''), response, began, requestId, note });
  };
}

export function arrivalIn(response: Response): Arrival {
  return response.locals.arrival;
}

/** Headers that rule a document, or name it in the log, mean nothing to a script, a style, a font or texts: some 700 bytes each, 20 times a page. */
const DOCUMENT_HEADERS = [
  'Content-Security-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
  'X-Request-Id',
] as const;

function leaveOutDocumentHeaders(response: ServerResponse): void {
  for (const name of DOCUMENT_HEADERS) response.removeHeader(name);
}

/** Names in /assets carry a hash of their content; the other files may change with a new build. */
function builtFiles(clientDirectory: string): RequestHandler[] {
  const files = { index: false, redirect: false } as const;
  const hashed = express.Router();
  const assets = join(clientDirectory, 'assets');
  hashed.use('/assets', textFiles(assets, leaveOutDocumentHeaders));
  hashed.use(
    '/assets',
    express.static(assets, { ...files, immutable: true, maxAge: '1y', fallthrough: false, setHeaders: leaveOutDocumentHeaders }),
  );
  return [hashed, express.static(clientDirectory, { ...files, maxAge: '1h', setHeaders: leavePageItsRules })];
}

/** The page that verifies evidence names its rules itself, stricter ones that hold without a server too; who may frame it only a header can say. */
function leavePageItsRules(response: ServerResponse, path: string): void {
  if (path.endsWith('.html')) response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
}

/** Express and its static files give their own faults a status (404 of a missing file, 400 of a broken address). */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
