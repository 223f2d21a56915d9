/** The supervised database: one per directory, back after a death, whole after a kill at any moment. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { placeDatabase } from '#app/platform/embedded/postgres-account.server.ts';
import { createCluster } from '#app/platform/embedded/postgres-cluster.server.ts';
import { clearSocket } from '#app/platform/embedded/postgres-left-behind.server.ts';
import {
  attachEmbeddedPostgres,
  type DatabaseStatus,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#app/platform/embedded/postgres-server.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

/** A directory whose database was made, started and stopped: making one takes longer than most of what is tested. */
let made: string;
let directory: string;
const open: EmbeddedPostgres[] = [];
/** Cases that few machines meet, and of which each takes a start or the making of a database: left to `npm run test:full`. */
const FULL = process.env.QUORATE_TEST_FULL !== undefined;
const processes: ChildProcess[] = [];
const places = new Set<string>();

function emptyDirectory(): string {
  const empty = mkdtempSync(join(tmpdir(), 'quorate-embedded-'));
  chmodSync(empty, 0o711);
  return empty;
}

beforeAll(async () => {
  made = emptyDirectory();
  await (await startEmbeddedPostgres({ dataDir: made, log: quietLog })).stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(() => {
  directory = emptyDirectory();
  execFileSync('cp', ['-a', `${made}/.`, directory]);
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
  for (const child of processes.splice(0)) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  // a failed test of a killed server must leave no database behind either
  const cluster = join(directory, 'database', 'cluster');
  const left = existsSync(join(cluster, 'postmaster.pid')) ? postmasterOf(cluster) : null;
  if (left !== null && left !== process.pid && alive(left)) process.kill(left, 'SIGQUIT');
  for (const place of [directory, ...places]) rmSync(place, { recursive: true, force: true });
  places.clear();
});

/** For a test of the making itself. */
function beginFromNothing(): void {
  places.add(directory);
  directory = emptyDirectory();
}

async function start(dataDir = directory, log = quietLog): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  open.push(server);
  if (server.movedAway) places.add(server.root);
  return server;
}

async function query<T extends pg.QueryResultRow>(login: DatabaseLogin, text: string): Promise<T[]> {
  const client = new pg.Client(login);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startProcess(): Promise<{ child: ChildProcess; owner: DatabaseLogin }> {
  const child = spawn(process.execPath, [join(projectRoot(), 'tests/integration/support/embedded-server-process.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  const [text] = await once(child.stdout ?? child, 'data');
  return { child, owner: JSON.parse(String(text).replace(/^ready /, '')) };
}

const clusterOf = (server: EmbeddedPostgres) => join(server.root, 'cluster');
const postmasterOf = (cluster: string) => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

function becomes(server: EmbeddedPostgres, wanted: DatabaseStatus): Promise<void> {
  if (server.status() === wanted) return Promise.resolve();
  return new Promise((done) => {
    const off = server.onStatus((status) => {
      if (status !== wanted) return;
      off();
      done();
    });
  });
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await delay(20);
  }
}
const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/status`) || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('starts as PostgreSQL 17 that syncs to disk, on a private socket alone, with the logins of a hosted project', async () => {
  beginFromNothing();
  const server = await start();
  expect(server.status()).toBe('ready');
  const [settings] = await query(
    server.owner,
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as addresses, current_setting('data_checksums') as checksums`,
  );
  expect(settings).toEqual({ major: 17, fsync: 'on', commit: 'on', addresses: '', checksums: 'on' });
  expect(statSync(server.owner.host).mode & 0o777).toBe(0o700);
  const [login] = await query(server.owner, 'select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user');
  expect(login).toEqual({ rolsuper: false, rolcreaterole: true, rolbypassrls: true });
  const [auth] = await query(server.owner, `select nspowner::regrole::text as owner from pg_namespace where nspname = 'auth'`);
  expect(auth).toEqual({ owner: 'supabase_auth_admin' });
  await expect(query({ ...server.owner, password: 'wrong' }, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('keeps its data, and starts at once the second time', async () => {
  const first = await start();
  await query(first.owner, 'create table kept (n int); insert into kept values (7)');
  await first.stop();
  expect(first.status()).toBe('stopped');
  const second = await start();
  expect(await query(second.owner, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('says who holds a directory to whom comes second, and leaves that one alone', async () => {
  const { child, owner } = await startProcess();
  await expect(start()).rejects.toThrow(new RegExp(`is in use: process ${child.pid} has served it since \\d{4}-.*QUORATE_DATA_DIR`));
  expect(await query(owner, 'select 1 as n')).toEqual([{ n: 1 }]);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect((await start()).status()).toBe('ready');
});

test('stops the database that a killed server left running, and starts its own on the same data', async () => {
  const { child, owner } = await startProcess();
  await query(owner, 'create table kept (n int); insert into kept values (7)');
  const left = postmasterOf(join(owner.host, '..', 'cluster'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await query(owner, 'select n from kept')).toEqual([{ n: 7 }]);
  const server = await start();
  expect(postmasterOf(clusterOf(server))).not.toBe(left);
  expect(await query(server.owner, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('knows the database left behind by whatever name its directory is given', async () => {
  const { child, owner } = await startProcess();
  const left = postmasterOf(join(owner.host, '..', 'cluster'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const alias = `${directory}-alias`;
  symlinkSync(directory, alias);
  places.add(alias);
  const server = await start(alias);
  expect(alive(left)).toBe(false);
  expect(server.status()).toBe('ready');
});

test('is not held up by a pid file whose number belongs to another process by now', async () => {
  const first = await start();
  const cluster = clusterOf(first);
  const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  await first.stop();
  writeFileSync(join(cluster, 'postmaster.pid'), [String(process.pid), ...lines.slice(1)].join('\n'));
  expect((await start()).status()).toBe('ready');
});

if (FULL)
  test('is not held up by a dead process that nobody has reaped: neither its pid file nor the lock of its socket', async () => {
    const first = await start();
    const cluster = clusterOf(first);
    const pidFile = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n').slice(1);
    const lockFile = join(first.owner.host, '.s.PGSQL.5432.lock');
    const lock = readFileSync(lockFile, 'utf8').split('\n').slice(1);
    await first.stop();
    // The shell's child waits until the shell has become what never asks for it, and ends then.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'] });
    processes.push(parent);
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() === 'sleep', 'the shell to be another program');
    process.kill(pid, 'SIGKILL');
    await until(() => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')), 'a zombie');
    writeFileSync(join(cluster, 'postmaster.pid'), [pid, ...pidFile].join('\n'));
    writeFileSync(lockFile, [pid, ...lock].join('\n'));
    expect((await start()).status()).toBe('ready');
  });

if (FULL)
  test('starts on a copy that was made while the original ran, which runs on', async () => {
    const { child, owner } = await startProcess();
    await query(owner, 'create table kept (n int); insert into kept values (7)');
    const copy = mkdtempSync(join(tmpdir(), 'quorate-copy-'));
    places.add(copy);
    execFileSync('cp', ['-a', `${directory}/.`, copy]);
    chmodSync(copy, 0o711);
    expect(readFileSync(join(copy, 'database', 'socket', '.s.PGSQL.5432.lock'), 'utf8').split('\n')[0]).toBe(
      String(postmasterOf(join(owner.host, '..', 'cluster'))),
    );
    const server = await start(copy);
    expect(await query(server.owner, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await query(owner, 'select n from kept')).toEqual([{ n: 7 }]);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

test('never takes a socket at which a database answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-socket-'));
  places.add(folder);
  const socket = join(folder, '.s.PGSQL.5432');
  const listener = createServer().listen(socket);
  await once(listener, 'listening');
  writeFileSync(`${socket}.lock`, '1\n');
  await expect(clearSocket(folder, 5432)).rejects.toThrow(`Another database listens at ${socket}`);
  expect(existsSync(`${socket}.lock`)).toBe(true);
  await new Promise((done) => listener.close(done));
  writeFileSync(`${socket}.lock`, '1\n');
  await clearSocket(folder, 5432);
  expect(existsSync(`${socket}.lock`)).toBe(false);
});

if (FULL)
  test('waits for the sessions of a postmaster that was killed before it takes their cluster', async () => {
    const { child, owner } = await startProcess();
    const cluster = join(owner.host, '..', 'cluster');
    const busy = new pg.Client(owner);
    busy.on('error', () => undefined);
    await busy.connect();
    const { rows } = await busy.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [left, kept] = [postmasterOf(cluster), rows[0]?.pid ?? 0];
    process.kill(kept, 'SIGSTOP');
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(left, 'SIGKILL');
    const starting = start();
    await until(() => !alive(left), 'the end of the postmaster');
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(true);
    process.kill(kept, 'SIGKILL');
    expect((await starting).status()).toBe('ready');
  });

describe('a database that dies', () => {
  test('is back with what was committed, and says so', async () => {
    const told: string[] = [];
    const server = await start(directory, { ...quietLog, info: (message, fields) => told.push(`${message} ${JSON.stringify(fields)}`) });
    expect(told).toEqual([]);
    await query(server.owner, 'create table kept (n int); insert into kept values (7)');
    const seen: DatabaseStatus[] = [];
    server.onStatus((status) => seen.push(status));
    const pid = postmasterOf(clusterOf(server));
    process.kill(pid, 'SIGKILL');
    await becomes(server, 'recovering');
    await becomes(server, 'ready');
    expect(seen).toEqual(['recovering', 'ready']);
    expect(postmasterOf(clusterOf(server))).not.toBe(pid);
    expect(await query(server.owner, 'select n from kept')).toEqual([{ n: 7 }]);
    // in PostgreSQL's own words, which are what it is waited for by
    for (const words of [/was interrupted/, /redo starts at/, /redo done at/, /checkpoint starting: end-of-recovery/])
      expect(told).toContainEqual(expect.stringMatching(words));
  });

  test('heals on its own when one of its processes is killed', async () => {
    const server = await start();
    const client = new pg.Client(server.owner);
    client.on('error', () => undefined);
    await client.connect();
    const [{ pid }] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [{ pid: number }];
    process.kill(pid, 'SIGKILL');
    await until(async () => (await query(server.owner, 'select 1').catch(() => [])).length === 1, 'recovery');
    await client.end().catch(() => undefined);
  });

  if (FULL)
    test('can be stopped while it is coming back', async () => {
      const server = await start();
      const pid = postmasterOf(clusterOf(server));
      process.kill(pid, 'SIGKILL');
      await becomes(server, 'recovering');
      await server.stop();
      expect(server.status()).toBe('stopped');
      await until(
        () => !existsSync(join(clusterOf(server), 'postmaster.pid')) || !alive(postmasterOf(clusterOf(server))),
        'end of the database',
      );
    });
});

if (FULL)
  describe('a database that someone else shuts down', () => {
    // Smart: PostgreSQL waits for its sessions to end, and takes no new ones meanwhile.
    test.each(['SIGTERM', 'SIGINT'] as const)('by %s is started again, though sessions stand open', async (signal) => {
      const server = await start();
      const client = new pg.Client(server.owner);
      client.on('error', () => undefined);
      await client.connect();
      const pid = postmasterOf(clusterOf(server));
      process.kill(pid, signal);
      await becomes(server, 'recovering');
      await becomes(server, 'ready');
      expect(postmasterOf(clusterOf(server))).not.toBe(pid);
      expect(await query(server.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
      await client.end().catch(() => undefined);
    });

    test('stays down when its server ends meanwhile', async () => {
      const server = await start();
      const client = new pg.Client(server.owner);
      client.on('error', () => undefined);
      await client.connect();
      const pid = postmasterOf(clusterOf(server));
      process.kill(pid, 'SIGTERM');
      await becomes(server, 'recovering');
      await server.stop();
      expect(server.status()).toBe('stopped');
      expect(alive(pid)).toBe(false);
      expect(existsSync(join(clusterOf(server), 'postmaster.pid'))).toBe(false);
      await client.end().catch(() => undefined);
    });

    test('is asked for again and again while something keeps it down, ever later', async () => {
      const lines: string[] = [];
      const server = await start(directory, { ...quietLog, warn: (line) => lines.push(line) });
      const settings = join(clusterOf(server), 'postgresql.conf');
      renameSync(settings, `${settings}.away`);
      process.kill(postmasterOf(clusterOf(server)), 'SIGKILL');
      await until(() => lines.filter((line) => line.includes('did not come back yet')).length > 1, 'attempts');
      renameSync(`${settings}.away`, settings);
      await becomes(server, 'ready');
      expect(await query(server.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

test('makes the database again when its making was cut off', async () => {
  beginFromNothing();
  const half = join(directory, 'database', 'cluster.init');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'PG_VERSION'), '17\n');
  const server = await start();
  expect(await query(server.owner, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(existsSync(half)).toBe(false);
});

test('refuses data of another major version with what to do', async () => {
  const first = await start();
  await first.stop();
  writeFileSync(join(clusterOf(first), 'PG_VERSION'), '16\n');
  await expect(start()).rejects.toThrow(/of PostgreSQL 16, this program brings 17/);
  writeFileSync(join(clusterOf(first), 'PG_VERSION'), '17\n');
  expect((await start()).status()).toBe('ready');
});

if (FULL)
  test('takes a short private folder for its socket where the path would be too long', async () => {
    const deep = join(directory, 'a-folder-with-a-long-name'.repeat(4));
    mkdirSync(deep, { mode: 0o711 });
    const server = await start(deep);
    places.add(server.owner.host);
    expect(server.owner.host.startsWith(deep)).toBe(false);
    expect(Buffer.byteLength(server.owner.host)).toBeLessThan(80);
    expect(statSync(server.owner.host).mode & 0o777).toBe(0o700);
  });

test('tells another process where it is only while it runs', async () => {
  expect(() => attachEmbeddedPostgres({ dataDir: directory })).toThrow(/No server is running/);
  const server = await start();
  const { host, port, database } = server.owner;
  expect(attachEmbeddedPostgres({ dataDir: directory })).toEqual({ host, port, database });
  expect(statSync(join(directory, 'database.json')).mode & 0o777).toBe(0o600);
  await server.stop();
  expect(() => attachEmbeddedPostgres({ dataDir: directory })).toThrow(/No server is running/);
});

if (FULL)
  test.runIf(process.getuid?.() === 0)('as root goes where its account can reach, when a folder above is private', async () => {
    const secret = join(directory, 'private');
    mkdirSync(secret, { mode: 0o700 });
    const dataDir = join(secret, 'data');
    const server = await start(dataDir);
    expect(server.movedAway).toBe(true);
    expect(server.root).toMatch(/^\/var\/lib\/quorate\/[0-9a-f]{16}$/);
    expect(statSync(clusterOf(server)).uid).not.toBe(0);
    await server.stop();
    expect((await start(dataDir)).root).toBe(server.root);
  });

test('ends with its process, however that ends, short of SIGKILL', async () => {
  const { child, owner } = await startProcess();
  const pid = postmasterOf(join(owner.host, '..', 'cluster'));
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  await until(() => !alive(pid), 'end of the database');
});

if (FULL)
  test('is made by an account that has no name, as containers make them up', async (context) => {
    const uid = 54_321;
    const can = spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true'], {
      uid,
      gid: uid,
      stdio: 'ignore',
      cwd: '/',
    });
    if (process.getuid?.() !== 0 || can.status !== 0)
      context.skip('needs root, and a kernel that lets an account appear under another number');
    const server = await start();
    const { cluster, root } = { cluster: clusterOf(server), root: server.root };
    await server.stop();
    rmSync(cluster, { recursive: true });
    const placement = { ...placeDatabase(directory), account: { uid, gid: uid } };
    chownSync(root, uid, uid);
    await createCluster(placement, readFileSync(join(directory, 'database-password'), 'utf8').trim());
    expect(statSync(cluster).uid).toBe(uid);
    // from here on the cluster's owner is the account that the database runs as
    const again = await start();
    expect(statSync(clusterOf(again)).uid).toBe(uid);
    expect(await query(again.owner, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
