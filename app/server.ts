/** The web server: what stands before the routes, and how the process starts and ends. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import compression from 'compression';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Log } from '#app/domain/ports.ts';
import { type Arrival, createLoadContext } from '#app/load-context.ts';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { reactRouterHandler } from '#app/platform/http/react-router-handler.ts';
import { guardRequest, refuse } from '#app/platform/http/request-guard.ts';
import { logRequests } from '#app/platform/http/request-log.ts';
import { securityHeaders } from '#app/platform/http/security-headers.ts';
import { createLog } from '#app/platform/log.ts';
import { type Runtime, startRuntime } from '#app/runtime.server.ts';

/** Serves the modules of the browser: Vite in development, the built files otherwise. */
export type Assets = { kind: 'vite'; server: Server; middlewares: express.RequestHandler } | { kind: 'built'; clientDirectory: string };

const HEADERS_TIMEOUT_MS = 15_000;
/** A whole request, body included: who sends a byte a second is cut off (slow answers are not concerned). */
const REQUEST_TIMEOUT_MS = 60_000;
/** After this, open answers are cut; the rest of ten seconds belongs to the database. */
const DRAIN_MS = 3_000;
const EXIT_MS = 9_500;

/** Starts the web server and keeps the process until it is told to end. Never rejects: a failed start ends the process. */
export async function startServer(assets: Assets): Promise<void> {
  const log = createLog();
  try {
    await serve(readEnv(), assets, log);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  const line = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Quorate cannot start: ${line.replace(/\s*\n\s*/g, ' ')}\n`);
  process.exit(1);
}

async function serve(env: Env, assets: Assets, log: Log): Promise<void> {
  let runtime: Runtime | undefined;
  const app = express();
  const server = assets.kind === 'vite' ? assets.server : createServer({ connectionsCheckingInterval: 5_000 });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  let starting: Promise<Runtime> | undefined;
  endOnSignal(server, log, () => starting);
  buildApp(app, env, assets, log, () => runtime);
  server.on('request', app);
  await listen(server, env);
  starting = startRuntime(env, log);
  runtime = await starting;
  announce(runtime);
}

function buildApp(app: express.Express, env: Env, assets: Assets, log: Log, running: () => Runtime | undefined): void {
  const origin = new URL(env.origin);
  const secure = origin.protocol === 'https:';
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', env.trustProxy);
  app.use((request, response, next) => {
    const arrival = arrivalOf(request, secure);
    response.locals.arrival = arrival;
    response.set(securityHeaders({ nonce: arrival.nonce, secure, development: assets.kind === 'vite' }));
    next();
  });
  app.use(logRequests(log, (response) => response.locals.arrival.requestId));
  app.get('/healthz', async (_request, response) => {
    const healthy = (await running()?.healthy()) ?? false;
    refuse(response, healthy ? 200 : 503, healthy ? 'ok' : 'not ready');
  });
  app.use(guardRequest(origin));
  app.use(compression({ filter: (request, response) => !isEventStream(response) && compression.filter(request, response) }));
  if (assets.kind === 'built') {
    const files = { index: false, redirect: false, fallthrough: true } as const;
    app.use(
      '/assets',
      express.static(join(assets.clientDirectory, 'assets'), { ...files, immutable: true, maxAge: '1y', fallthrough: false }),
    );
    app.use(express.static(assets.clientDirectory, { ...files, maxAge: '1h' }));
  } else {
    app.use(assets.middlewares);
  }
  app.use((_request, response, next) => {
    if (running() === undefined) return refuse(response.set('Retry-After', '2'), 503, 'Quorate is starting.');
    next();
  });
  app.use(
    reactRouterHandler({
      origin,
      build: () => import('virtual:react-router/server-build'),
      context: (response) => {
        const now = running();
        if (now === undefined) throw new Error('the runtime has not started');
        return createLoadContext(now.services, response.locals.arrival);
      },
    }),
  );
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const status = statusOf(error);
    if (status === 500) log.error('request failed', { request: response.locals.arrival.requestId, error });
    if (response.headersSent) return response.destroy();
    refuse(
      response,
      status,
      status === 500 ? `Something went wrong. Reference: ${response.locals.arrival.requestId}` : 'This request cannot be answered.',
    );
  });
}

/** Express and its static files give their own faults a status (404 of a missing file, 400 of a broken address). */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function isEventStream(response: Response): boolean {
  return String(response.getHeader('Content-Type') ?? '').startsWith('text/event-stream');
}

function arrivalOf(request: Request, secure: boolean): Arrival {
  const socketAddress = request.socket.remoteAddress ?? '';
  return {
    requestId: randomUUID(),
    nonce: randomBytes(16).toString('base64'),
    address: request.ip ?? socketAddress,
    secure,
    host: request.headers.host ?? '',
    socketAddress,
    forwarded: Object.keys(request.headers).some(
      (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-') || name === 'x-real-ip',
    ),
  };
}

async function listen(server: Server, env: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new Error(`port ${env.port} on ${env.host} is in use. Set PORT to another one.`));
      else if (error.code === 'EACCES') reject(new Error(`port ${env.port} may not be used by this account. Set PORT to one above 1023.`));
      else reject(new Error(`it cannot listen on ${env.host}:${env.port} (${error.code ?? error.message}). Set HOST and PORT.`));
    });
    server.listen(env.port, env.host, resolve);
  });
}

function announce(runtime: Runtime): void {
  const { env, services, demo } = runtime;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`Quorate is ready: ${env.origin}`);
  if (demo.length > 0) {
    say('A demo workspace was made. Its people, whose passwords are told here once and kept in demo-accounts.json of the data directory:');
    for (const { email, password, roles } of demo) say(`  ${email}  ${password}  (${roles.join(', ')})`);
  }
  if (services.mailboxOpen) say(`Mails are caught, not sent: ${env.origin}/dev/mailbox`);
}

/** In-flight requests end, then loops, pools and database; a second signal, or too much time, ends at once. */
function endOnSignal(server: Server, log: Log, starting: () => Promise<Runtime> | undefined): void {
  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) process.exit(1);
    ending = true;
    log.info('ending', { signal });
    setTimeout(() => process.exit(1), EXIT_MS).unref();
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await drained;
    clearTimeout(cut);
    const runtime = await starting()?.catch(() => undefined);
    await runtime?.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      end(signal).catch((error) => {
        log.error('ending failed', { error });
        process.exit(1);
      });
    });
  }
}
