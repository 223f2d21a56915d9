/** A killed server leaves its database running. We hold the directory's lock, so it is an orphan: stop it, start our own. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#app/contracts/ports.ts';
import type { Placement } from '#app/platform/embedded/postgres-account.server.ts';
import { signalPostmaster } from '#app/platform/embedded/postgres-binaries.server.ts';

const FAST_SHUTDOWN_MS = 10_000;
const POLL_MS = 20;

/**
 * Stops a database that still runs on this cluster, and clears a pid file that none belongs to any longer: PostgreSQL takes every process
 * of that number for a running database and refuses to start, a dead one too that nobody has reaped, and another one that got the number
 * since.
 */
export async function stopLeftBehind({ cluster, binaries }: Pick<Placement, 'cluster' | 'binaries'>, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8').split('\n')[0] ?? '', 10);
  const lives = Number.isInteger(pid) && pid > 1 && isAlive(pid);
  // Elsewhere its sessions cannot be looked for: PostgreSQL clears the file of a dead one itself, by its shared memory.
  if (!lives && process.platform !== 'linux') return;
  if (lives && isPostmasterOf(pid, cluster)) await stopPostmaster(pid, binaries, log);
  await endOfSessions(cluster);
  rmSync(pidFile, { force: true });
}

async function stopPostmaster(pid: number, binaries: Placement['binaries'], log: Log): Promise<void> {
  log.warn('a database was left running by a server that was killed: stopping it', { pid });
  signalPostmaster(binaries, pid, 'INT');
  const deadline = Date.now() + FAST_SHUTDOWN_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      signalPostmaster(binaries, pid, 'QUIT');
      await delay(POLL_MS * 10);
    }
    if (Date.now() > deadline + FAST_SHUTDOWN_MS)
      throw new Error(`A database left running (process ${pid}) does not stop: end it and start again.`);
    await delay(POLL_MS);
  }
}

/**
 * Sessions of a postmaster that was killed work on for a moment. Without its pid file PostgreSQL would not see them, and two generations
 * would write to one cluster: the file goes only when they have gone.
 */
async function endOfSessions(cluster: string): Promise<void> {
  const deadline = Date.now() + FAST_SHUTDOWN_MS;
  for (let left = sessionsIn(cluster); left.length > 0; left = sessionsIn(cluster)) {
    if (Date.now() > deadline)
      throw new Error(`Processes of a database that was killed still run on ${cluster} (${left.join(', ')}): end them and start again.`);
    await delay(POLL_MS);
  }
}

/** Every process of a database works inside its cluster. Where the system does not tell, PostgreSQL's own look at its shared memory must do. */
function sessionsIn(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  const folder = realpathSync(cluster);
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) && pid !== process.pid && workingFolder(pid) === folder && /^postgres/.test(commandLine(pid)) && isAlive(pid),
    );
}

/**
 * Clears what a copied data directory, or one whose database was killed, holds of another socket. A database that answers there is
 * someone's: then it throws and touches nothing. `folder`: the private folder of the socket; call it while no database of ours runs.
 */
export async function clearSocket(folder: string, port: number): Promise<void> {
  const socket = join(folder, `.s.PGSQL.${port}`);
  const lock = `${socket}.lock`;
  if (!existsSync(lock) && !existsSync(socket)) return;
  if (await answersAt(socket))
    throw new Error(`Another database listens at ${socket}: stop it first, or set QUORATE_DATA_DIR to another directory.`);
  rmSync(lock, { force: true });
  rmSync(socket, { force: true });
}

function answersAt(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    // refused, or not a socket at all: nobody listens; any other error must not be taken for that
    connection.once('error', (error: NodeJS.ErrnoException) => resolve(!['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(error.code ?? '')));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** In a container without an init process nobody reaps dead processes. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

/**
 * A number in a file may have been given to another process since, even to another database. Taking a running one for
 * gone would let two write to one cluster, so the folder is compared as it really is, whatever name it was given by.
 */
function isPostmasterOf(pid: number, cluster: string): boolean {
  const line = commandLine(pid);
  if (!/postgres/.test(line)) return false;
  const folder = workingFolder(pid) ?? / -D (.+?)(?: -c |$)/.exec(line)?.[1];
  if (folder === undefined) return true;
  try {
    return realpathSync(folder) === realpathSync(cluster);
  } catch {
    return false;
  }
}

/** A postmaster works inside its cluster. */
function workingFolder(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (process.platform === 'win32')
      return execFileSync(
        'powershell',
        ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`],
        { encoding: 'utf8' },
      );
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
