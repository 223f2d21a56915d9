/** A wrong or half-set configuration stops the start with one line, soon, and the line holds no secret. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnProduct, untilReady } from '#tests/hosted/support/product-process.ts';
import { type StandIn, startStandIn } from '#tests/hosted/support/stand-in.ts';
import { freePort } from '#tests/support/free-port.ts';

/** A busy machine included; what is measured is the patience with something that never answers. */
const SOON_MS = 45_000;

let standIn: StandIn;
/** Takes connections and says nothing. */
let silent: Server;
let silentPort: number;
const taken: Socket[] = [];

beforeAll(async () => {
  standIn = await startStandIn();
  silent = createServer((socket) => void taken.push(socket.on('error', () => undefined)));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  silentPort = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  for (const socket of taken) socket.destroy();
  silent?.close();
  await standIn?.stop();
});

type Settings = Record<string, string>;
const FAILED = { server: 'Quorate cannot start', worker: 'The worker cannot start' };

/** The line with which a process of these settings ends. */
async function refusal(kind: 'server' | 'worker', settings: Settings): Promise<string> {
  const began = Date.now();
  const product = await spawnProduct(kind, { PORT: String(await freePort()), ...settings });
  const late = setTimeout(() => product.child.kill('SIGKILL'), SOON_MS);
  const code = await product.end();
  clearTimeout(late);
  expect(product.output(), 'one line').toMatch(/^[^\n]+\n$/);
  expect(code).toBe(1);
  expect(Date.now() - began).toBeLessThan(SOON_MS);
  for (const secret of [standIn.ownerLogin.password, standIn.settings.QUORATE_SECRET_KEY ?? '', standIn.publishableKey])
    expect(product.output()).not.toContain(secret);
  return product.output().trimEnd();
}

/** The settings of the project with some changed, or left out. */
function changed(changes: Record<string, string | undefined>): Settings {
  return Object.fromEntries(
    Object.entries({ ...standIn.settings, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function databaseUrl(change: { port?: number; password?: string }): string {
  return Object.assign(new URL(standIn.settings.DATABASE_URL ?? ''), change).href;
}

describe('settings that do not fit together', () => {
  const cases: [string, 'server' | 'worker', () => Settings, string][] = [
    [
      'no key of the project',
      'server',
      () => changed({ SUPABASE_PUBLISHABLE_KEY: undefined }),
      'Settings: SUPABASE_URL needs SUPABASE_PUBLISHABLE_KEY too.',
    ],
    ['no database', 'worker', () => changed({ DATABASE_URL: '' }), 'Settings: SUPABASE_URL needs DATABASE_URL too.'],
    [
      'a database and no key',
      'server',
      () => ({ DATABASE_URL: standIn.settings.DATABASE_URL ?? '' }),
      'Settings: QUORATE_SECRET_KEY is required with DATABASE_URL (32 characters or more, the same in every process).',
    ],
    [
      'no secret key',
      'worker',
      () => changed({ QUORATE_SECRET_KEY: undefined }),
      'Settings: QUORATE_SECRET_KEY is required with DATABASE_URL (32 characters or more, the same in every process).',
    ],
    [
      'the port of a transaction pooler',
      'server',
      () => changed({ DATABASE_URL: databaseUrl({ port: 6543 }) }),
      'Settings: DATABASE_URL leads to a transaction pooler (port 6543 or pgbouncer=true), which drops LISTEN and advisory locks: use the direct address or the session pooler (port 5432).',
    ],
    [
      'a password that is not encoded',
      'server',
      () => changed({ DATABASE_URL: 'postgresql://postgres:100%safe@127.0.0.1:5432/postgres' }),
      'Settings: DATABASE_URL holds a % that encodes nothing: write the password percent-encoded.',
    ],
  ];
  test.concurrent.each(cases)('%s', async (_, kind, settings, line) => {
    expect(await refusal(kind, settings())).toBe(`${FAILED[kind]}: ${line}`);
  });
});

describe('settings that lead nowhere', () => {
  test.concurrent('an address where no database answers', async () => {
    const port = await freePort();
    const line = await refusal('server', changed({ DATABASE_URL: databaseUrl({ port }) }));
    expect(line).toMatch(`${FAILED.server}: DATABASE_URL: no database can be reached at 127.0.0.1:${port} (`);
  });

  test.concurrent.each(['server', 'worker'] as const)('a database that takes the connection of a %s and never answers', async (kind) => {
    const line = await refusal(kind, changed({ DATABASE_URL: databaseUrl({ port: silentPort }) }));
    expect(line).toMatch(`${FAILED[kind]}: DATABASE_URL: no database can be reached at 127.0.0.1:${silentPort} (`);
  });

  test.concurrent('a password that is not the owner’s', async () => {
    const line = await refusal('server', changed({ DATABASE_URL: databaseUrl({ password: 'wrong' }) }));
    expect(line).toBe(`${FAILED.server}: DATABASE_URL: the database refuses the login of postgres.`);
  });

  test.concurrent('a project that takes the connection and never answers', async () => {
    const line = await refusal('server', changed({ SUPABASE_URL: `http://127.0.0.1:${silentPort}` }));
    expect(line).toBe(`${FAILED.server}: SUPABASE_URL: no auth service can be reached at 127.0.0.1:${silentPort}.`);
  });

  test.concurrent('an address of something else', async () => {
    const line = await refusal('server', changed({ SUPABASE_URL: `${standIn.url}/nowhere` }));
    expect(line).toMatch(`${FAILED.server}: SUPABASE_URL: no auth service answers at ${new URL(standIn.url).host} (`);
  });
});

test('a worker before any web server, and every process with another secret key, is refused', async () => {
  const unprepared = await refusal('worker', standIn.settings);
  const line = 'QUORATE_SECRET_KEY is not the key of the web server, or no web server has prepared this database yet.';
  expect(unprepared).toBe(`The worker cannot start: ${line}`);

  const web = await spawnProduct('server', { ...standIn.settings, PORT: new URL(standIn.origin).port });
  try {
    await untilReady(web);
    const other = changed({ QUORATE_SECRET_KEY: 'another key of thirty-two characters or more' });
    const [server, worker] = await Promise.all([refusal('server', other), refusal('worker', other)]);
    expect(server).toBe(
      'Quorate cannot start: QUORATE_SECRET_KEY is not the one that this database was made with: set that one again, the same in every process.',
    );
    expect(worker).toBe(`The worker cannot start: ${line}`);
    // The first one has not been locked out.
    expect((await fetch(`${standIn.origin}/healthz`)).status).toBe(200);
    const beside = await spawnProduct('worker', standIn.settings);
    await untilReady(beside);
    expect(await beside.end('SIGTERM')).toBe(0);
  } finally {
    expect(await web.end('SIGTERM')).toBe(0);
  }
});
