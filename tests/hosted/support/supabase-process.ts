/**
 * Stands in for a hosted project of Supabase: a PostgreSQL that listens on loopback, in processes of its own, and
 * @supabase/lite over HTTP in this one. Its logins are those of a hosted project: the owner is no superuser and does not own
 * `auth`. Ends, with its database, when its parent goes.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { App } from '@supabase/lite';
import { createPostgresConnection } from '@supabase/lite/postgres';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { placeDatabase } from '#app/platform/embedded/postgres-account.server.ts';
import { signalPostmaster } from '#app/platform/embedded/postgres-binaries.server.ts';
import { createCluster, prepareCluster, superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import type { FromSupabase, SupabaseSettings } from '#tests/hosted/support/supabase-messages.ts';
import { startTcpPostgres, statement, untilItAnswers } from '#tests/hosted/support/tcp-postgres.ts';

/** The one that a hosted project has; it is the owner's there. */
const DATABASE = 'postgres';
const templates = join(import.meta.dirname, '..', '..', '..', 'supabase', 'templates');
const settings: SupabaseSettings = JSON.parse(process.env.STAND_IN ?? '{}');
const tell = (message: FromSupabase) => process.send?.(message);

const placement = placeDatabase(settings.directory);
await createCluster(placement, settings.databasePassword);
const database = startTcpPostgres(placement, settings.databasePort);
const address = { host: '127.0.0.1', port: settings.databasePort };
const superuser = superuserLogin(address, settings.databasePassword);
await untilItAnswers(superuser, database);
const logins = await prepareCluster(address, settings.databasePassword, DATABASE);
await statement(superuser, 'alter database postgres owner to postgres');

const app = createAuthService(logins.auth);
await app.ensureSystemSchema();
const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end());
});
server.listen(settings.port, '127.0.0.1');
await once(server, 'listening');
process.once('disconnect', () => void end());
process.once('SIGTERM', () => void end());
tell({ kind: 'ready', owner: logins.owner, auth: logins.auth, superuser: { ...superuser, database: DATABASE } });

/** The settings that the README asks of a project: its site's address, confirmations, and our templates. */
function createAuthService({ host, port, database: name, user, password }: DatabaseLogin): App {
  return new App({
    connection: createPostgresConnection({
      postgresOptions: { host, port, database: name, user, password, max: 4, onnotice: () => undefined },
    }),
    api: { schemas: ['public'], max_rows: 1000 },
    auth: {
      enabled: true,
      site_url: settings.siteUrl,
      jwt_secret: settings.jwtSecret,
      publishable_key: settings.publishableKey,
      enable_refresh_token_rotation: true,
      email: {
        enable_signup: true,
        enable_confirmations: true,
        // With it the service writes to the present address alone; a real project writes to both (tests/integration/auth/auth-hosted.spec.ts).
        double_confirm_changes: false,
        template: {
          confirmation: { content_path: join(templates, 'confirmation.html') },
          magic_link: { content_path: join(templates, 'magic_link.html') },
          recovery: { content_path: join(templates, 'recovery.html') },
          email_change: { content_path: join(templates, 'email_change.html') },
        },
      },
    },
    db: { migrations: { enabled: false } },
    options: {
      drivers: {
        email: {
          send: ({ to, subject, text = '', html = '' }: { to: string; subject: string; text?: string; html?: string }) => {
            tell({ kind: 'mail', mail: { to, subject, text, html } });
            return Promise.resolve();
          },
        },
      },
      server: { disableStudio: true, disableFallback: true, admin: false },
    },
  });
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === 'string') headers.set(name, value);
  const { method = 'GET' } = incoming;
  const body = chunks.length === 0 || method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  const response = await app.fetch(new Request(new URL(incoming.url ?? '/', settings.url), { method, headers, body }));
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

async function end(): Promise<void> {
  server.closeAllConnections();
  if (database.exitCode === null && database.pid !== undefined) {
    const gone = once(database, 'exit');
    signalPostmaster(placement.binaries, database.pid, 'INT');
    await gone;
  }
  process.exit(0);
}
