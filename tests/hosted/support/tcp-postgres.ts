/** A PostgreSQL that listens on loopback, as one that someone else keeps. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { LEAST_VERSION } from '#app/platform/embedded/auth-roles.server.ts';
import type { Placement } from '#app/platform/embedded/postgres-account.server.ts';
import { type PostgresBinaries, postgresEnvironment } from '#app/platform/embedded/postgres-binaries.server.ts';

/** The oldest PostgreSQL of Debian on this machine that we run on; undefined where there is none. */
export function debiansPostgres(): PostgresBinaries | undefined {
  const [oldest] = globSync('/usr/lib/postgresql/*/bin/initdb')
    .map((initdb) => dirname(dirname(initdb)))
    .filter((root) => Number(root.split('/').at(-1)) >= LEAST_VERSION)
    .sort();
  if (oldest === undefined) return undefined;
  const program = (name: string) => join(oldest, 'bin', name);
  return { root: oldest, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** As somebody makes a cluster who knows nothing of us. */
export function makeStrangersCluster({ binaries, cluster, root, account }: Placement, user: string, password: string): void {
  const passwordFile = `${cluster}-password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const options = { ...(account ?? {}), cwd: root, env: postgresEnvironment() };
  const made = spawnSync(
    binaries.initdb,
    ['-D', cluster, '-U', user, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8'],
    options,
  );
  rmSync(passwordFile);
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
}

export function startTcpPostgres({ binaries, cluster, root, account }: Placement, port: number): ChildProcess {
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    shared_buffers: '32MB',
    max_connections: '150',
    log_min_messages: 'fatal',
  };
  return spawn(binaries.postgres, ['-D', cluster, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
    ...(account ?? {}),
    cwd: root,
    env: postgresEnvironment(),
    detached: true,
    stdio: 'ignore',
  });
}

export async function untilItAnswers(login: DatabaseLogin, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the database ended at its start');
    try {
      return await statement(login, 'select 1');
    } catch {
      await pause(20);
    }
  }
}

export async function statement(login: DatabaseLogin, text: string): Promise<void> {
  const client = new pg.Client(login);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}
