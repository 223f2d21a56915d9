/**
 * One embedded PostgreSQL for the whole run, with one database migrated once; every test file copies that. Works as root and as anyone
 * else, needs no network, and leaves nothing.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { startAuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { admitAuthService } from '#app/platform/embedded/auth-grants.server.ts';
import { startEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

export const TEST_SECRET_KEY = 'a secret key for tests alone, nowhere else used';
export const TEST_ORIGIN = 'http://localhost:3000';

declare module 'vitest' {
  interface ProvidedContext {
    embeddedDatabase: { owner: DatabaseLogin; auth: DatabaseLogin; superuser: DatabaseLogin };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  // so that the database's account gets to its own folder below, as root
  chmodSync(directory, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: directory, log: quietLog });
  const remove = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
    if (server.movedAway) rmSync(server.root, { recursive: true, force: true });
  };
  try {
    const auth = await startAuthBackend({
      login: server.auth,
      origin: TEST_ORIGIN,
      secretKey: TEST_SECRET_KEY,
      log: quietLog,
      sendMail: () => undefined,
    });
    await auth.close();
    await migrate(server.owner, TEST_SECRET_KEY);
    await admitAuthService(server.owner, server.auth.user);
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('embeddedDatabase', { owner: server.owner, auth: server.auth, superuser: server.superuser });
  return remove;
}
