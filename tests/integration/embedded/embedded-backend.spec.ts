/** What a process of ours stands on, in both modes, as the server and a separate worker open it. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '#app/contracts/ports.ts';
import { attachBackend, type Backend, openBackend } from '#app/platform/backend.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { dataDirectoryFor, freshDataDirectory } from '#tests/support/running-server.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

let directory: string;
const opened: Backend[] = [];
beforeEach(async () => {
  directory = await dataDirectoryFor({ QUORATE_DEMO: 'off' });
});
afterEach(async () => {
  for (const backend of opened.splice(0).reverse()) await backend.close();
  rmSync(directory, { recursive: true, force: true });
});

const keep = (backend: Backend) => {
  opened.push(backend);
  return backend;
};
const embedded = () => readEnv({ QUORATE_DATA_DIR: directory });
const open = async (mails: Mail[] = []) =>
  keep(await openBackend(embedded(), { log: quietLog, sendMail: (mail) => void mails.push(mail) }));

async function signUp(backend: Backend, email: string): Promise<number> {
  const response = await backend.auth.fetch(`${backend.auth.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: backend.auth.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'secret1' }),
  });
  return response.status;
}

describe('embedded', () => {
  test('stands from nothing, takes a sign-up, and after a restart still knows it', async () => {
    rmSync(directory, { recursive: true });
    directory = await freshDataDirectory();
    const mails: Mail[] = [];
    const first = await open(mails);
    expect(await signUp(first, 'ada@example.com')).toBe(200);
    expect(mails.map((mail) => mail.to)).toEqual(['ada@example.com']);
    await first.close();
    await first.close();
    const second = await open(mails);
    expect({ key: second.secretKey, jwt: second.auth.jwtSecret, anon: second.auth.anonKey }).toEqual({
      key: first.secretKey,
      jwt: first.auth.jwtSecret,
      anon: first.auth.anonKey,
    });
    const answer = await second.auth.fetch(`${second.auth.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: second.auth.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'secret1' }),
    });
    expect(await answer.json()).toMatchObject({ error_code: 'email_not_confirmed' });
  });

  test('words its mails in the language of who asks', async () => {
    const mails: Mail[] = [];
    const backend = await open(mails);
    await backend.auth.fetch(`${backend.auth.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: backend.auth.anonKey, 'content-type': 'application/json', 'x-quorate-language': 'ar' },
      body: JSON.stringify({ email: 'noor@example.com', password: 'secret1' }),
    });
    expect(mails[0]?.html).toContain('<html lang="ar" dir="rtl">');
  });

  test('is shared with a worker in another process, which cannot stop it', async () => {
    await expect(attachBackend(embedded(), { log: quietLog })).rejects.toThrow(/No server is running/);
    const server = await open();
    const worker = keep(await attachBackend(embedded(), { log: quietLog }));
    expect(worker.secretKey).toBe(server.secretKey);
    expect((await worker.database.workerPool.query('select current_user::text as role')).rows).toEqual([{ role: 'quorate_worker' }]);
    await expect(worker.auth.fetch(`${worker.auth.url}/auth/v1/health`)).rejects.toThrow('fetch failed');
    await worker.close();
    await server.database.ping();
  });

  test('continues after its database was killed', async () => {
    const backend = await open();
    const seen: string[] = [];
    backend.onStatus((status) => seen.push(status));
    process.kill(Number(readFileSync(join(directory, 'database', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    await expect.poll(() => seen, { timeout: 60_000 }).toEqual(['recovering', 'ready']);
    await expect
      .poll(
        () =>
          backend.database.ping().then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 60_000 },
      )
      .toBe('up');
    await expect.poll(() => signUp(backend, 'late@example.com'), { timeout: 60_000 }).toBe(200);
  });
});

test('hosted: the owner’s address and a key are enough; processes log in as the application and migrate nothing twice', async () => {
  const db = await createTestDatabase();
  // Of the project a start asks only whether its accounts answer.
  const project = createServer((_, response) => response.end('{}'));
  project.listen(0, '127.0.0.1');
  await once(project, 'listening');
  const address = project.address();
  const projectUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { host, user, password, database } = db.ownerLogin;
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const env = readEnv({
    SUPABASE_URL: projectUrl,
    SUPABASE_ANON_KEY: 'anon',
    DATABASE_URL: url,
    QUORATE_SECRET_KEY: TEST_SECRET_KEY,
    QUORATE_DATA_DIR: directory,
  });
  const web = await openBackend(env, { log: quietLog, sendMail: () => undefined });
  const worker = await attachBackend(env, { log: quietLog });
  try {
    for (const backend of [web, worker]) {
      expect(backend).toMatchObject({
        mode: 'supabase',
        secretKey: TEST_SECRET_KEY,
        auth: { url: projectUrl, anonKey: 'anon', jwtSecret: null },
      });
      await backend.database.ping();
      expect(backend.queueConnection).toMatchObject({ user: 'quorate_app' });
      expect(backend.status()).toBe('ready');
    }
  } finally {
    await web.close();
    await worker.close();
    await db.close();
    project.close();
  }
});
