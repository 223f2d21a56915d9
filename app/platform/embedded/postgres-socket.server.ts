/** The address of the embedded database: a private Unix socket, or loopback with a password on Windows. */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '#app/platform/embedded/postgres-account.server.ts';

/** A socket path of some 108 bytes and more is fatal to PostgreSQL; 100 leaves room on every system. */
const MAX_SOCKET_PATH_BYTES = 100;
/** The port is a part of the socket's name only. */
const SOCKET_PORT = 5432;

/** `host` as pg takes it: a socket's folder or an address. */
export type ListenAddress = { host: string; port: number; kind: 'socket' | 'loopback' };

export async function chooseListenAddress(root: string, account: Account): Promise<ListenAddress> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort(), kind: 'loopback' };
  const near = join(root, 'socket');
  const host =
    Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= MAX_SOCKET_PATH_BYTES
      ? privateFolder(near, account)
      : shortFolder(root, account);
  return { host, port: SOCKET_PORT, kind: 'socket' };
}

function privateFolder(path: string, account: Account): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (account) chownSync(path, account.uid, account.gid);
  chmodSync(path, 0o700);
  return path;
}

/** In a folder that everyone may write to, a name that someone else made first is not ours: then a fresh one. */
function shortFolder(root: string, account: Account): string {
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  const path = join(tmpdir(), `quorate-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) mkdirSync(path, { mode: 0o700 });
  else if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.()))
    return privateFolder(mkdtempSync(join(tmpdir(), 'quorate-')), account);
  return privateFolder(path, account);
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? done(address.port) : failed(new Error('no free port'))));
    });
  });
}
