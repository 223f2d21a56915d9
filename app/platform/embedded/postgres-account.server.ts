/** PostgreSQL refuses to run as root: then its processes and files belong to an unprivileged account. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyPostgresBinaries, findPostgresBinaries, type PostgresBinaries } from '#app/platform/embedded/postgres-binaries.server.ts';

/** The account to run as; null: the present one. */
export type Account = { uid: number; gid: number } | null;

/** The place of the instance's database. `root` holds the cluster and, as root, may lie outside the data directory. */
export type Placement = { root: string; cluster: string; account: Account; binaries: PostgresBinaries; movedAway: boolean };

const FALLBACK_ROOT = '/var/lib/quorate';
const ACCOUNT_NAMES = ['quorate', 'postgres', '_postgres', 'nobody'];

/** Decides account and place; makes the folder. Says nothing and starts nothing. */
export function placeDatabase(dataDirectory: string): Placement {
  const binaries = findPostgresBinaries();
  const near = join(dataDirectory, 'database');
  if (process.getuid?.() !== 0) {
    mkdirSync(near, { recursive: true, mode: 0o700 });
    return { root: near, cluster: join(near, 'cluster'), account: null, binaries, movedAway: false };
  }
  const hash = createHash('sha256').update(realpathSync(dataDirectory)).digest('hex').slice(0, 16);
  const away = join(FALLBACK_ROOT, hash);
  const standing = [near, away].find((root) => existsSync(join(root, 'cluster', 'PG_VERSION')));
  const account = standing ? ownerOf(join(standing, 'cluster')) : unprivilegedAccount();
  const root = standing ?? (makeFor(near, account) && reaches(near, 'w', account) ? near : away);
  // an empty folder in the data directory would say that the data is there
  if (root === away && existsSync(near)) rmdirSync(near);
  makeFor(root, account);
  if (!reaches(root, 'w', account))
    throw new Error(
      `The database's account (uid ${account.uid}) cannot reach ${root}: make the folders above it passable, or set QUORATE_DATA_DIR to another directory.`,
    );
  const reachable = reaches(binaries.postgres, 'x', account) ? binaries : copyPostgresBinaries(binaries, openFolder(FALLBACK_ROOT));
  return { root, cluster: join(root, 'cluster'), account, binaries: reachable, movedAway: root === away };
}

/** An unprivileged account with a name; 65534 where none is known. */
export function unprivilegedAccount(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ACCOUNT_NAMES) {
    const line = lines.find((fields) => fields[0] === name);
    // macOS writes some accounts as negative numbers
    if (line && Number(line[2]) > 0 && Number(line[3]) > 0) return { uid: Number(line[2]), gid: Number(line[3]) };
  }
  return { uid: 65534, gid: 65534 };
}

function ownerOf(path: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(path);
  return uid === 0 ? unprivilegedAccount() : { uid, gid };
}

/** Makes a private folder of the account, with passable folders above it where we make those. */
function makeFor(path: string, account: { uid: number; gid: number }): true {
  if (!existsSync(path)) {
    openFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
  const found = statSync(path);
  if (found.uid !== account.uid) chownSync(path, account.uid, account.gid);
  return true;
}

/** A folder that others may pass through but not list, when it is we who make it. */
function openFolder(path: string): string {
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o711);
  }
  return path;
}

/** Asks as the account itself: modes alone do not tell about access lists or mounts. */
function reaches(path: string, right: 'w' | 'x', account: { uid: number; gid: number }): boolean {
  return (
    spawnSync('/bin/sh', ['-c', `test -${right} "$1"`, 'sh', path], { uid: account.uid, gid: account.gid, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}
