/**
 * Supabase for `npm run dev:mocked`: the project's services are handlers of MSW in this process, its database is an embedded
 * PostgreSQL in a directory that goes with the process. Nothing is asked of the network.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { getResponse, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import pg from 'pg';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { startEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import { createLog } from '#app/platform/log/log.ts';
import { AUTH_TABLES, createDatabaseStore } from '#tests/mocks/database-store.ts';
import { makeFixtures } from '#tests/mocks/fixtures.ts';
import { MOCK_DEFAULTS } from '#tests/mocks/handlers.ts';
import { MockBackend } from '#tests/mocks/mock-backend.ts';
import { realtimeSocket } from '#tests/mocks/realtime-socket.ts';
import type { CaughtMail } from '#tests/mocks/scenarios-page.ts';

type Served = typeof import('#tests/mocks/served.ts');

export type MockedBackend = {
  /** What a process of the product is told, as of a hosted project. */
  settings: Record<string, string>;
  /** Stands before the pages: the choice of scenarios. */
  handle: RequestHandler;
  close(): Promise<void>;
};

/** @param served gives the handlers as they are written now, so that a change of one needs no new start; state and fixtures stay */
export async function startMockedBackend(served: () => Promise<Served>): Promise<MockedBackend> {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-mocked-'));
  // So that the database's account gets to its own folder below, as root.
  chmodSync(directory, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: directory, log: createLog() });
  const authService = new pg.Client(server.auth);
  await authService.connect();
  await authService.query(AUTH_TABLES);
  await authService.end();
  const owner = new pg.Pool({ ...server.owner, types: columnTypes, max: 4 });
  owner.on('error', () => undefined);
  const secretKey = randomBytes(32).toString('hex');
  await migrate(server.owner, secretKey);
  const siteUrl = process.env.QUORATE_URL ?? `http://localhost:${process.env.PORT ?? '3000'}`;
  const mock = new MockBackend({ ...MOCK_DEFAULTS, siteUrl }, createDatabaseStore(owner));
  const people = await makeFixtures(mock, owner, server.owner, secretKey);
  const answers = http.all(`${mock.settings.url}/*`, async ({ request }) => {
    const found = await getResponse((await served()).createHandlers(mock), request);
    return found ?? HttpResponse.json({ message: `The mock has no handler for ${request.method} ${request.url}` }, { status: 501 });
  });
  const interception = setupServer(
    answers,
    realtimeSocket(mock, async (client, data) => (await served()).takeRealtimeFrame(mock, client, data)),
  );
  // Only the project is mocked: the product's own pages, its built-in peers and the database are real.
  interception.listen({ onUnhandledFrame: 'bypass' });
  const caughtMails = async () =>
    (
      await owner.query<CaughtMail>(
        'select recipient as to, subject, text_body as text from quorate.caught_mails order by id desc limit 20',
      )
    ).rows;
  return {
    handle: (request, response, next) => {
      served().then(({ createHandlers, serveScenarios }) => {
        serveScenarios({ mock, handlers: createHandlers(mock), people, caughtMails })(request, response, next);
      }, next);
    },
    settings: {
      SUPABASE_URL: mock.settings.url,
      SUPABASE_PUBLISHABLE_KEY: mock.settings.publishableKey,
      SUPABASE_SECRET_KEY: mock.settings.secretKey,
      DATABASE_URL: databaseUrl(server.owner),
      QUORATE_SECRET_KEY: secretKey,
      QUORATE_DATA_DIR: directory,
    },
    async close() {
      interception.close();
      await owner.end();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
      if (server.movedAway) rmSync(server.root, { recursive: true, force: true });
    },
  };
}

/** A socket's folder goes into `host`, as libpq has it. */
function databaseUrl({ host, port, database, user, password }: DatabaseLogin): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`);
  url.username = user;
  url.password = encodeURIComponent(password);
  url.searchParams.set('host', host);
  return url.href;
}
