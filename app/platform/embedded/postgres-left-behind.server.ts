/** A killed server leaves its database running. We hold the directory's lock, so it is nobody's: stop it, start our own. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#app/domain/ports.ts';
import type { Placement } from '#app/platform/embedded/postgres-account.server.ts';
import { signalPostmaster } from '#app/platform/embedded/postgres-binaries.server.ts';

const FAST_SHUTDOWN_MS = 10_000;
const POLL_MS = 20;

/** Stops a database that still runs on this cluster, and clears a pid file whose number now belongs to something else. */
export async function stopLeftBehind({ cluster, binaries }: Pick<Placement, 'cluster' | 'binaries'>, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8').split('\n')[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  if (!isPostmasterOf(pid, cluster)) {
    // PostgreSQL would take any live process of the same account for a running database and refuse to start
    rmSync(pidFile, { force: true });
    return;
  }
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** In a container without an init process the dead wait for nobody. */
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
