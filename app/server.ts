/** The web server: the layers before the routes, and how the process starts and ends. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import { createRequestHandler, type HandleErrorFunction, isRouteErrorResponse, type ServerBuild } from 'react-router';
import { answerFailures } from '#app/components/page/problem.server.ts';
import type { Log } from '#app/contracts/ports.ts';
import { requestIdContext } from '#app/contracts/request-context.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { drawFirstPictures } from '#app/draw-first-pictures.server.tsx';
import { bodyAllowance } from '#app/features/auth/session/body-allowance.server.ts';
import { createCachedPageContext, createLoadContext } from '#app/load-context.ts';
import { isAuthorizationPath } from '#app/platform/authorization/authorization-paths.ts';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { answerExpectedFailures } from '#app/platform/http/expected-failures.ts';
import { createPageCache, type PageCache } from '#app/platform/http/page-cache.ts';
import { findProgramRoutes } from '#app/platform/http/program-routes.ts';
import { reactRouterHandler } from '#app/platform/http/react-router-handler.ts';
import { loggedPath } from '#app/platform/http/request-log.ts';
import { arrivalIn, createWebApp } from '#app/platform/http/web-app.ts';
import { detectLanguageOf, translatorFor } from '#app/platform/i18n/i18n.server.ts';
import { cookieIn } from '#app/platform/i18n/preference-cookies.server.ts';
import { createLog } from '#app/platform/log/log.ts';
import { releaseStartMemory } from '#app/platform/release-start-memory.ts';
import { type Runtime, startRuntime } from '#app/runtime.server.ts';

/** Serves the modules of the browser: Vite in development, the built files otherwise. `close` ends what the launcher started beside it. */
export type Assets =
  | { kind: 'vite'; server: Server; middlewares: RequestHandler; close?: () => Promise<void> }
  | { kind: 'built'; clientDirectory: string };

const HEADERS_TIMEOUT_MS = 15_000;
/** The time for a whole request, body included: a client that sends a byte a second is cut off. Slow answers are not affected. */
const REQUEST_TIMEOUT_MS = 60_000;
/** After this, open answers are cut; the rest of the ten seconds belongs to the database. */
const DRAIN_MS = 3_000;
const EXIT_MS = 9_500;
const IMPATIENT_MS = 1_000;

/** Starts the web server and keeps the process until a signal ends it. Never rejects: a failed start ends the process. */
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
  let pages: RequestHandler | undefined;
  let kept: PageCache | undefined;
  const server = assets.kind === 'vite' ? assets.server : createServer({ connectionsCheckingInterval: 5_000 });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.on(
    'request',
    createWebApp({
      env,
      log,
      modules: assets,
      healthy: async () => (await runtime?.healthy()) ?? false,
      metrics: () => runtime?.metrics(),
      pages: () => pages,
      pageCache: () => kept,
    }),
  );
  await listen(server, env);
  // All output of the build is in one folder; for sources, Node strips the types.
  const worker = import.meta.env?.PROD ? new URL('./worker.js', import.meta.url) : new URL('./worker.ts', import.meta.url);
  const starting = startRuntime(env, log, worker);
  endOnSignal(server, log, starting, assets.kind === 'vite' ? assets.close : undefined);
  const readBuild = () => readPages(log);
  const [started, build] = await Promise.all([starting, assets.kind === 'vite' ? readBuild : readBuild()]);
  pages = beforePages(
    started.authorization,
    reactRouterHandler({
      origin: new URL(env.origin),
      build,
      programs: assets.kind === 'vite' ? undefined : findProgramRoutes(await import('virtual:react-router/server-build'), answerFailures),
      context: (response, body) => createLoadContext(started.services, arrivalIn(response), body),
      allowanceOf: (form) => bodyAllowance(started.services, form),
      async tooManyForms(request, seconds) {
        const language = await detectLanguageOf(cookieIn(request.get('Cookie') ?? '', 'lng'), request.get('Accept-Language') ?? '');
        return translatorFor(language, 'errors')('tooManyForms', { seconds });
      },
    }),
  );
  if (typeof build !== 'function') kept = openPageCache(build, started, log);
  runtime = started;
  announce(runtime);
  void runtime.makeDemoRuns().then(() => releaseStartMemory(assets.kind === 'built' ? drawFirstPictures : undefined));
}

/** The addresses of the authorization server, which read their own bodies, before all others. */
function beforePages(authorization: Runtime['authorization'], handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (!isAuthorizationPath(request.path)) return handler(request, response, next);
    return authorization.handle(request, response, arrivalIn(response).address).catch(next);
  };
}

/** Not in development, where a page changes all the time. */
function openPageCache(build: ServerBuild, { env, services }: Runtime, log: Log): PageCache {
  const handle = createRequestHandler(build, 'production');
  return createPageCache({
    log,
    secure: env.origin.startsWith('https:'),
    sessionCookie: services.identity.cookieName,
    languageOf: detectLanguageOf,
    render(address, headers) {
      const requestId = randomUUID();
      // People may read this id on a page when something fails later.
      log.info('page drawn to be kept', { path: address, request: requestId });
      return handle(new Request(new URL(address, env.origin), { headers }), createCachedPageContext(services, requestId));
    },
  });
}

/** The pages, with error handling. In development the build is read for each request, since it changes. */
async function readPages(log: Log): Promise<ServerBuild> {
  const build = answerExpectedFailures(await import('virtual:react-router/server-build'));
  const handleError: HandleErrorFunction = (error, { request, context }) => {
    // The client has left, or the error was expected (an unknown address).
    if (request.signal.aborted || isRouteErrorResponse(error)) return;
    log.error('request failed', {
      request: context.get(requestIdContext),
      method: request.method,
      path: loggedPath(new URL(request.url).pathname),
      error,
    });
  };
  return { ...build, entry: { ...build.entry, module: { ...build.entry.module, handleError } } };
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
  if (env.backend.mode === 'embedded' && !isLoopback(env.host)) {
    say(`Attention: it listens on ${env.host}, so other machines reach it. Put a TLS proxy in front, and set QUORATE_URL and SMTP_URL.`);
  }
  if (env.backend.mode === 'supabase' && env.smtpUrl === null) {
    say('Attention: SMTP_URL is not set, so invitations and checkpoints are kept in the database and reach nobody.');
  }
  if (demo.length > 0) {
    say('A demo workspace was made. Its people, whose passwords are told here once and kept in demo-accounts.json of the data directory:');
    for (const { email, password, roles } of demo) say(`  ${email}  ${password}  (${roles.join(', ')})`);
  }
  if (services.mailboxToken !== null) say(`Mails are caught, not sent: ${env.origin}/dev/mailbox?token=${services.mailboxToken}`);
}

/** Requests in flight end, then loops, pools and database; a second signal, or a timeout, ends the process at once. */
function endOnSignal(server: Server, log: Log, starting: Promise<Runtime>, closeBeside?: () => Promise<void>): void {
  let endingSince: number | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (endingSince !== undefined) {
      // Ctrl-C reaches the process twice at once, directly and through npm; only a later one is a person asking again.
      if (performance.now() - endingSince > IMPATIENT_MS) process.exit(1);
      return;
    }
    endingSince = performance.now();
    log.info('ending', { signal });
    setTimeout(() => process.exit(1), EXIT_MS).unref();
    void starting.then(
      (runtime) => runtime.beginEnding(),
      () => undefined,
    );
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await drained;
    clearTimeout(cut);
    const runtime = await starting.catch(() => undefined);
    await runtime?.close();
    await closeBeside?.();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(signal).catch((error) => {
        log.error('ending failed', { error });
        process.exit(1);
      });
    });
  }
}
