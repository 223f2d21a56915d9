/** The main thread's side of the embedded auth service: a `fetch` that reaches the thread and nothing else. */
import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Log, Mail } from '#app/contracts/ports.ts';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { renderAuthMail } from '#app/platform/embedded/auth-mail.server.ts';
import type { AuthThreadSettings, FromAuthThread, ToAuthThread } from '#app/platform/embedded/auth-messages.ts';

/** The addresses of the auth service and the profile's data API. */
export type AuthEndpoint = {
  url: string;
  anonKey: string;
  /** Secret of HS256 access tokens (embedded); null where the keys are published as a JWKS (hosted). */
  jwtSecret: string | null;
  fetch: typeof fetch;
};

export type AuthBackend = AuthEndpoint & {
  /** One request through each door, so that the first real requests do not meet two preparations at once. Call it after the migrations. */
  warm(): Promise<void>;
  close(): Promise<void>;
};

/** A reserved name: a request that left the process by mistake would resolve nowhere (RFC 6761). */
const INTERNAL_URL = 'http://auth.embedded.invalid';
const MINIMUM_PASSWORD_LENGTH = 6;
const START_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 30_000;
const RESTART_DELAY_MS = 200;
/** Requests come one by one and leave little behind: the default would hold some 30 MB of what starting has left. */
const YOUNG_GENERATION_MB = 6;

/**
 * The addresses of the service that may be called. Left out on purpose: `magiclink`, which makes a confirmed user of any address,
 * `authorize` and `callback`, and the service's own studio. The thread sees to it that `otp` makes none.
 */
const ALLOWED_PATHS =
  /^\/(auth\/v1\/(signup|token|otp|verify|recover|resend|logout|user|reauthenticate|health|settings|\.well-known\/jwks\.json)|rest\/v1\/\w+)$/;

const derived = (secretKey: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `quorate auth ${purpose}`, bytes)).toString('base64url');

/** Beside this file in the sources; in the build an entry of its own (vite.config.ts). */
function threadEntry(): URL {
  const candidates = import.meta.url.endsWith('.ts') ? ['./auth-thread.ts'] : ['./auth-thread.js', '../auth-thread.js'];
  const found = candidates.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (!found) throw new Error('the build has no auth-thread.js: build again');
  return found;
}

/** Begins to load the thread's modules, which takes as long as starting the database does. */
export function openAuthThread(): Worker {
  const worker = new Worker(threadEntry(), { name: 'quorate-auth', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
  // the caller that starts the service gets its end as an error
  worker.on('error', () => undefined);
  return worker;
}

/**
 * Starts the service in its thread; when it answers, the schema `auth` stands. A mail is rendered here and handed to `sendMail`, whose
 * failure is logged: the auth service answers the same either way.
 */
export async function startAuthBackend(options: {
  login: DatabaseLogin;
  origin: string;
  secretKey: string;
  log: Log;
  sendMail(mail: Mail): Promise<void> | void;
  thread?: Worker;
}): Promise<AuthBackend> {
  const { log } = options;
  const settings: AuthThreadSettings = {
    login: options.login,
    siteUrl: options.origin,
    jwtSecret: derived(options.secretKey, 'access tokens', 48),
    publishableKey: `sb_publishable_${derived(options.secretKey, 'publishable key', 24)}`,
    minimumPasswordLength: MINIMUM_PASSWORD_LENGTH,
  };
  const requests = createRequests();
  let closing = false;
  let thread = await begin(options.thread ?? openAuthThread());
  /** Settled unless the thread is coming back: requests wait for it. */
  let standing: Promise<void> = Promise.resolve();

  async function deliver(mail: Mail): Promise<void> {
    try {
      await options.sendMail(mail);
    } catch (error) {
      log.error('a mail of the auth service could not be handed on', { reason: error instanceof Error ? error.message : 'unknown' });
    }
  }

  function receive(message: FromAuthThread): void {
    if (message.type === 'mail') void deliver(renderAuthMail(message.mail, options.origin));
    else if (message.type === 'log') log[message.level]('auth service', { line: message.message });
    else if (message.type === 'response' || message.type === 'failed') requests.answer(message);
  }

  async function begin(worker: Worker): Promise<Worker> {
    await beginThread(worker, settings, receive);
    worker.on('error', (error) => log.error('embedded auth service failed', { reason: error.message }));
    worker.once('exit', () => {
      standing = revive();
    });
    return worker;
  }

  async function revive(): Promise<void> {
    requests.failAll('the auth service restarts');
    while (!closing) {
      try {
        thread = await begin(openAuthThread());
        await warm();
        return;
      } catch (error) {
        log.error('embedded auth service did not come back yet', { reason: error instanceof Error ? error.message : 'unknown' });
        await new Promise((done) => setTimeout(done, RESTART_DELAY_MS));
      }
    }
  }

  const fetchThread: typeof fetch = async (input, init) => {
    await standing;
    return ask(input, init);
  };

  const ask: typeof fetch = async (input, init) => {
    if (closing) throw failure('the auth service has ended');
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!ALLOWED_PATHS.test(url.pathname)) return Response.json({ error: 'not_found' }, { status: 404 });
    return requests.send(request, (message) => thread.postMessage(message));
  };

  async function warm(): Promise<void> {
    for (const path of ['/auth/v1/health', '/rest/v1/profiles?select=id&limit=1']) {
      const response = await ask(`${INTERNAL_URL}${path}`, { headers: { apikey: settings.publishableKey } });
      if (!response.ok)
        throw new Error(`the embedded auth service answered ${response.status} to ${path}: ${(await response.text()).slice(0, 200)}`);
    }
  }

  return {
    url: INTERNAL_URL,
    anonKey: settings.publishableKey,
    jwtSecret: settings.jwtSecret,
    fetch: fetchThread,
    warm,
    async close() {
      if (closing) return;
      closing = true;
      const gone = new Promise((done) => thread.once('exit', done));
      thread.postMessage({ type: 'stop' } satisfies ToAuthThread);
      const late = setTimeout(() => void thread.terminate(), 3_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Settles when the thread serves; from then on `receive` has its messages. */
async function beginThread(worker: Worker, settings: AuthThreadSettings, receive: (message: FromAuthThread) => void): Promise<void> {
  if (worker.threadId === -1) throw new Error('the embedded auth service ended while its modules loaded');
  await new Promise<void>((ready, failed) => {
    const late = setTimeout(() => failed(new Error('the embedded auth service did not start in time')), START_TIMEOUT_MS);
    worker.on('message', (message: FromAuthThread) => {
      if (message.type !== 'ready') return receive(message);
      clearTimeout(late);
      ready();
    });
    worker.once('error', failed);
    worker.once('exit', () => failed(new Error('the embedded auth service ended while starting')));
    worker.postMessage({ type: 'begin', settings } satisfies ToAuthThread);
  });
  worker.removeAllListeners('error').removeAllListeners('exit');
}

const failure = (reason: string) => new TypeError('fetch failed', { cause: new Error(reason) });

/** What the thread was asked and has not answered yet. */
function createRequests() {
  const pending = new Map<number, { done(response: Response): void; failed(error: Error): void }>();
  let nextId = 1;
  return {
    answer(message: Extract<FromAuthThread, { type: 'response' | 'failed' }>): void {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.type === 'failed') {
        waiting?.failed(failure(message.reason));
        return;
      }
      const { status, headers } = message;
      waiting?.done(new Response(noBody(status) ? null : Buffer.from(message.body), { status, headers }));
    },
    failAll(reason: string): void {
      for (const waiting of pending.values()) waiting.failed(failure(reason));
      pending.clear();
    },
    async send(request: Request, post: (message: ToAuthThread) => void): Promise<Response> {
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
      request.signal.throwIfAborted();
      const id = nextId++;
      return await new Promise<Response>((done, failed) => {
        const late = setTimeout(() => settle(() => failed(failure('the auth service did not answer in time'))), REQUEST_TIMEOUT_MS);
        const aborted = () => settle(() => failed(request.signal.reason));
        function settle(act: () => void): void {
          clearTimeout(late);
          request.signal.removeEventListener('abort', aborted);
          pending.delete(id);
          act();
        }
        pending.set(id, { done: (response) => settle(() => done(response)), failed: (error) => settle(() => failed(error)) });
        request.signal.addEventListener('abort', aborted, { once: true });
        post({ type: 'request', id, url: request.url, method: request.method, headers: [...request.headers], body });
      });
    },
  };
}

/** Statuses whose Response may have no body (Fetch, "null body status"). */
const noBody = (status: number) => status === 204 || status === 205 || status === 304;
