/**
 * Entry of the worker thread that runs the embedded auth service and the profile's data API. A thread of its own because
 * hashing a password holds its event loop for some 70 ms. It listens on nothing: requests come as messages.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import type { AuthMailFacts, AuthRequest, AuthThreadSettings, FromAuthThread, ToAuthThread } from '#app/platform/embedded/auth-messages.ts';
import { endSoon, ONE_TIME_CODE_SECONDS, opensUnconfirmed, withoutNewAccounts } from '#app/platform/embedded/mailed-sign-ins.ts';
import { withEvenHashing } from '#app/platform/embedded/password-hashes.ts';
import { endReusedSession } from '#app/platform/embedded/reused-refresh-token.ts';

/** Out of the 100 that the embedded database allows. */
const MAX_CONNECTIONS = 4;
const ACCESS_TOKEN_SECONDS = 3_600;

const port = parentPort;
if (!port) throw new Error('auth-thread runs as a worker thread only');
const say = (message: FromAuthThread) => port.postMessage(message);
// The modules above load while the database starts; then its address is sent.
const settings: AuthThreadSettings = (await once(port, 'message'))[0].settings;
const language = new AsyncLocalStorage<string>();

// Its console lines hold statements with their values (addresses, hashes): only that something happened leaves the thread.
const firstWords = (args: unknown[]) =>
  String(args[0] instanceof Error ? args[0].name : args[0])
    .split(/[:\n]/)[0]
    ?.slice(0, 80) ?? '';
console.error = (...args: unknown[]) => say({ type: 'log', level: 'warn', message: firstWords(args) });
console.warn = (...args: unknown[]) => say({ type: 'log', level: 'warn', message: firstWords(args) });
console.log = () => undefined;
console.info = () => undefined;

const { login } = settings;
const connection = createPostgresConnection({
  postgresOptions: {
    // postgres.js takes a socket's file, pg its folder
    ...(login.host.startsWith('/') ? { path: `${login.host}/.s.PGSQL.${login.port}` } : { host: login.host, port: login.port }),
    database: login.database,
    user: login.user,
    password: login.password,
    ...(login.ssl === undefined ? {} : { ssl: login.ssl }),
    max: MAX_CONNECTIONS,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: 'quorate auth' },
  },
});

const app = new App({
  connection,
  api: { schemas: ['public'], max_rows: 1000 },
  auth: {
    enabled: true,
    site_url: settings.siteUrl,
    jwt_secret: settings.jwtSecret,
    jwt_expiry: ACCESS_TOKEN_SECONDS,
    publishable_key: settings.publishableKey,
    enable_refresh_token_rotation: true,
    minimum_password_length: settings.minimumPasswordLength,
    // A single mailbox can confirm a change of address: the new one, or a typo would lock the owner out. The caller has given the password,
    // and the old address is notified.
    email: { enable_signup: true, enable_confirmations: true, double_confirm_changes: false, otp_expiry: ONE_TIME_CODE_SECONDS },
  },
  db: { migrations: { enabled: false } },
  options: { server: { disableStudio: true, disableFallback: true, admin: false } },
});

function mail(kind: AuthMailFacts['kind'], to: string, tokenHash: string, code: string): Promise<void> {
  say({ type: 'mail', mail: { kind, to, tokenHash, code, language: language.getStore() ?? 'en' } });
  return Promise.resolve();
}
app._mailer = {
  sendConfirmation: (to, tokenHash, code) => mail('signup', to, tokenHash, code),
  sendRecovery: (to, tokenHash, code) => mail('recovery', to, tokenHash, code),
  sendMagicLink: async (to, tokenHash, code) =>
    mail((await endSoon(connection.driver, tokenHash)) ? 'magiclink' : 'recovery', to, tokenHash, code),
  sendEmailChange: (to, tokenHash, code) => mail('email_change', to, tokenHash, code),
  sendReauthentication: (to, code, meta) => mail('reauthentication', to, meta?.tokenHash ?? '', code),
};

const LINK_OVER = { code: 403, error_code: 'otp_expired', msg: 'Email link is invalid or has expired' };

async function answer(asked: AuthRequest): Promise<void> {
  const message = withoutNewAccounts(asked);
  try {
    if (await opensUnconfirmed(connection.driver, message)) {
      const body = new TextEncoder().encode(JSON.stringify(LINK_OVER));
      return say({ type: 'response', id: message.id, status: 403, headers: [['content-type', 'application/json']], body });
    }
    if (await endReusedSession(connection.driver, message))
      say({ type: 'log', level: 'warn', message: 'a used refresh token came again, its session was ended' });
    const request = new Request(message.url, {
      method: message.method,
      headers: message.headers,
      body: message.body ? new Uint8Array(message.body) : null,
    });
    const { result, hashes } = await withEvenHashing(request, async () =>
      language.run(request.headers.get('x-quorate-language') ?? 'en', () => app.fetch(request)),
    );
    const body = new Uint8Array(await result.arrayBuffer());
    const headers: [string, string][] = [...result.headers, ['x-quorate-hashes', String(hashes)]];
    say({ type: 'response', id: message.id, status: result.status, headers, body });
  } catch (error) {
    say({ type: 'failed', id: message.id, reason: error instanceof Error ? error.name : 'unknown' });
  }
}

port.on('message', (message: ToAuthThread) => {
  if (message.type === 'request') void answer(message);
  else if (message.type === 'stop') void connection.close().finally(() => process.exit(0));
});

await app.ensureSystemSchema();
say({ type: 'ready' });
