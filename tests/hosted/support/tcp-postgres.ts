/** A PostgreSQL that listens on loopback, as one that somebody else keeps. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import type { Placement } from '#app/platform/embedded/postgres-account.server.ts';
import { postgresEnvironment } from '#app/platform/embedded/postgres-binaries.server.ts';

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
