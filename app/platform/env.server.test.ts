import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EnvError, readEnv } from '#app/platform/env.server.ts';

const SECRET = 'a secret of thirty-two characters';
const HOSTED = {
  SUPABASE_URL: 'https://project.supabase.co',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  DATABASE_URL: 'postgres://postgres.project:pw@aws-0.pooler.supabase.com:5432/postgres',
  QUORATE_SECRET_KEY: SECRET,
};

function fault(source: Record<string, string>): string {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.message;
    throw error;
  }
  return expect.unreachable('was accepted');
}

describe('with nothing set', () => {
  test('everything has its default, and the backend is embedded', () => {
    expect(readEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      origin: 'http://localhost:3000',
      dataDir: resolve('.data'),
      demo: true,
      secretKey: null,
      trustProxy: false,
      backend: { mode: 'embedded' },
      smtpUrl: null,
      registration: { kind: 'open' },
      founders: 'anyone',
      operator: null,
      paceCeilings: { keys: 6_000, hooks: 1_200 },
      runCeilings: { runsAtOnce: null, queuedRuns: 20_000, queuedInAll: 100_000 },
      privateNetwork: { entries: [], hosts: new Set(), ranges: [] },
      localServers: {},
      logKeys: null,
      fileScanner: null,
      metricsToken: null,
      workerPort: null,
      production: false,
      runSteps: true,
    });
  });

  test('an empty value is the same as none', () => {
    expect(readEnv({ PORT: '', SUPABASE_URL: ' ', QUORATE_SECRET_KEY: '', DATABASE_URL: '', QUORATE_DEMO: '' })).toEqual(readEnv({}));
  });
});

test('commands run only with the switch beside them', () => {
  const STDIO_SERVERS = '{"memory":["node","/opt/memory/index.js"]}';
  expect(readEnv({ STDIO_SERVERS }).localServers).toEqual({});
  expect(readEnv({ STDIO_SERVERS, ALLOW_STDIO: 'on' }).localServers).toEqual({ memory: ['node', '/opt/memory/index.js'] });
});

test('settings cannot be changed afterwards', () => {
  const env = readEnv(HOSTED);
  expect(() => Object.assign(env, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(env.backend, { mode: 'embedded' })).toThrow(TypeError);
});

test('a hosted project is taken with either name of its key', () => {
  const backend = {
    mode: 'supabase',
    url: HOSTED.SUPABASE_URL,
    publishableKey: 'sb_publishable_x',
    secretKey: null,
    databaseUrl: HOSTED.DATABASE_URL,
  };
  expect(readEnv(HOSTED).backend).toEqual(backend);
  const { SUPABASE_PUBLISHABLE_KEY: key, ...rest } = HOSTED;
  expect(readEnv({ ...rest, SUPABASE_ANON_KEY: key, SUPABASE_URL: `${HOSTED.SUPABASE_URL}/` }).backend).toEqual(backend);
  expect(readEnv({ ...HOSTED, SUPABASE_SECRET_KEY: 'sb_secret_x' }).backend).toEqual({ ...backend, secretKey: 'sb_secret_x' });
});

test.each([
  ['off', false],
  ['0', false],
  ['on', 1],
  ['2', 2],
  ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
])('TRUST_PROXY=%s', (text, value) => {
  expect(readEnv({ TRUST_PROXY: text }).trustProxy).toBe(value);
});

test.each([
  ['https://quorate.example', 'https://quorate.example'],
  ['https://quorate.example/', 'https://quorate.example'],
  ['https://quorate.example:443', 'https://quorate.example'],
])('QUORATE_URL=%s', (text, value) => {
  expect(readEnv({ QUORATE_URL: text }).origin).toBe(value);
});

describe('half a configuration', () => {
  test.each(['SUPABASE_PUBLISHABLE_KEY', 'DATABASE_URL'] as const)('without %s names what is missing', (name) => {
    const { [name]: _, ...rest } = HOSTED;
    expect(fault(rest)).toBe(`Settings: SUPABASE_URL needs ${name} too.`);
  });

  test('names both when both are missing', () => {
    expect(fault({ SUPABASE_URL: HOSTED.SUPABASE_URL, QUORATE_SECRET_KEY: SECRET })).toBe(
      'Settings: SUPABASE_URL needs SUPABASE_PUBLISHABLE_KEY and DATABASE_URL too.',
    );
  });

  test.each(['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'])(
    '%s alone starts nothing on the wrong data',
    (name) => {
      expect(fault({ [name]: 'x' })).toMatch(/without SUPABASE_URL/);
    },
  );

  test('a hosted project without our own secret is refused', () => {
    const { QUORATE_SECRET_KEY: _, ...rest } = HOSTED;
    expect(fault(rest)).toMatch(/^Settings: QUORATE_SECRET_KEY is required/);
  });
});

test.each(['postgres://u:p@db.example:6543/postgres', 'postgres://u:p@db.example:5432/postgres?pgbouncer=true'])(
  'a transaction pooler is refused with the way out: %s',
  (databaseUrl) => {
    expect(fault({ ...HOSTED, DATABASE_URL: databaseUrl })).toMatch(/transaction pooler.*session pooler \(port 5432\)/);
  },
);

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['HOST', 'a b'],
  ['QUORATE_URL', 'quorate.example'],
  ['QUORATE_URL', 'https://quorate.example/path'],
  ['QUORATE_URL', 'ftp://quorate.example'],
  ['QUORATE_DEMO', 'maybe'],
  ['QUORATE_SECRET_KEY', 'short'],
  ['TRUST_PROXY', 'everybody'],
  ['SUPABASE_URL', 'project'],
  ['DATABASE_URL', 'mysql://x'],
  ['SMTP_URL', 'mail.example'],
  ['ALLOW_PRIVATE_NETWORK', 'on'],
  ['ALLOW_PRIVATE_NETWORK', 'true'],
  ['ALLOW_PRIVATE_NETWORK', '2'],
  ['ALLOW_PRIVATE_NETWORK', '10.0.0.0/33'],
  ['ALLOW_PRIVATE_NETWORK', '169.254.0.0/16'],
  ['ALLOW_PRIVATE_NETWORK', 'fe80::/10'],
  ['ALLOW_PRIVATE_NETWORK', '10.0.0.1 https://models.internal'],
  ['ALLOW_STDIO', 'si'],
  ['QUORATE_REGISTRATION', 'none of them'],
  ['QUORATE_WORKSPACE_FOUNDERS', 'everyone'],
  ['STDIO_SERVERS', 'node memory.js'],
  ['STDIO_SERVERS', '{"memory":"node memory.js"}'],
  ['STDIO_SERVERS', '{"Me mory":["node"]}'],
  ['STDIO_SERVERS', '{"memory":[]}'],
  ['QUORATE_FILE_SCANNER', 'clamdscan -'],
  ['QUORATE_FILE_SCANNER', '[]'],
  ['QUORATE_FILE_SCANNER', 'ftp://scanner.example'],
])('%s=%s is refused in one line that repeats no value', (name, value) => {
  const message = fault({ [name]: value });
  expect(message).toMatch(new RegExp(`^Settings: ${name} must .+\\.$`));
  expect(message).not.toMatch(/\n|undefined|invalid/i);
  if (name === 'QUORATE_SECRET_KEY' || name === 'DATABASE_URL') expect(message).not.toContain(value);
});

test('all faults are told at once', () => {
  expect(fault({ PORT: 'x', QUORATE_DEMO: 'y' })).toBe('Settings: PORT must be a port number; QUORATE_DEMO must be on or off.');
});
