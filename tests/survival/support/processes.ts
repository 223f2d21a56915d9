/** What runs on a data directory, read from /proc: nothing of it may be left when the server has ended. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

export type Found = { pid: number; parent: number; line: string };

/** Every process that was started for this directory, by its command line or its environment. Zombies are none. */
export function processesOf(dataDirectory: string): Found[] {
  const found: Found[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (/^State:\s+Z/m.test(status)) continue;
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (line.includes(dataDirectory) || environment.includes(`QUORATE_DATA_DIR=${dataDirectory}\0`)) found.push({ pid, parent, line });
      else if (line.startsWith('postgres:')) found.push({ pid, parent, line });
    } catch {
      // ended meanwhile, or someone else's
    }
  }
  // the processes of a postmaster carry no path: theirs is their parent
  const own = new Set(found.filter(({ line }) => !line.startsWith('postgres:')).map(({ pid }) => pid));
  return found.filter(({ pid, parent }) => own.has(pid) || own.has(parent));
}

/** A process just forked still carries the command line of its postmaster. */
export function postmastersOf(dataDirectory: string): Found[] {
  const found = processesOf(dataDirectory).filter(({ line }) => /\/postgres -D /.test(line));
  return found.filter(({ parent }) => !found.some(({ pid }) => pid === parent));
}
/** Sessions that the application has open, with the postmaster as their parent. */
export const backendsOf = (dataDirectory: string) =>
  processesOf(dataDirectory).filter(({ line }) => line.startsWith('postgres: ') && line.includes('[local]'));

/** State of the cluster as `pg_controldata` tells it (DBState of src/include/catalog/pg_control.h): 1 is 'shut down'. */
export function clusterState(dataDirectory: string): number {
  const file = openSync(join(dataDirectory, 'database', 'cluster', 'global', 'pg_control'), 'r');
  try {
    const bytes = Buffer.alloc(20);
    readSync(file, bytes, 0, 20, 0);
    return bytes.readInt32LE(16);
  } finally {
    closeSync(file);
  }
}
export const SHUT_DOWN = 1;
