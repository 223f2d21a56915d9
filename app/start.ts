/**
 * `npm start`, `npm run dev`, `npm run dev:mocked` and `npm run worker`: puts a fitting build in place where one is needed, then hands over.
 * Runs from its source by Node's type stripping and imports nothing that the build would have to provide.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RequestHandler } from 'express';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const buildDirectory = join(root, 'build');
/** Digest of the sources that a build was made from, and of every file that it produced. */
const DIGEST_FILE = 'digests.json';
const SOURCES = [
  'app/**/*',
  'locales/**/*',
  'public/**/*',
  // The page of evidence shows them.
  'tests/bench/results/*.json',
  'tests/survival/results.json',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
];

/** Contents, not times: a checkout or a copy changes the times of files that are the same. */
async function digestOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(join(entry.parentPath, entry.name));
  }
  return digestOf(root, files);
}

/** A file that was cut off, changed, added or removed since the build gives another digest. */
async function digestOfBuild(directory: string): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: directory, withFileTypes: true })) {
    if (entry.isFile() && entry.name !== DIGEST_FILE) files.push(join(entry.parentPath, entry.name));
  }
  return digestOf(directory, files);
}

/** One after the other: nothing else happens meanwhile, and to wait for each of some 2,000 small files takes longer than to read it. */
function digestOf(directory: string, files: string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of files.sort())
    hash.update(file.slice(directory.length).replaceAll(sep, '/')).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Whether the build matches the digests kept with it; false where those are missing or unreadable. */
async function isWhole(sources: string): Promise<boolean> {
  const kept = await readFile(join(buildDirectory, DIGEST_FILE), 'utf8').catch(() => '');
  return kept === digestsText(sources, await digestOfBuild(buildDirectory));
}

const digestsText = (sources: string, build: string) => `${JSON.stringify({ sources, build }, null, 2)}\n`;

/** Builds beside the present build and swaps at the end, so that a kill in between leaves either a whole build or none. */
async function buildWhenNeeded(): Promise<void> {
  const sources = await digestOfSources();
  if (await isWhole(sources)) return;
  process.stdout.write('Building Quorate (only after a change, or where a file of the build is missing or damaged) …\n');
  await removeLeftBuilds();
  const next = join(root, `build.${process.pid}`);
  await rm(next, { recursive: true, force: true });
  await runBuild(next);
  await writeFile(join(next, DIGEST_FILE), digestsText(sources, await digestOfBuild(next)));
  const old = join(root, `build.${process.pid}.old`);
  await rename(buildDirectory, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(next, buildDirectory);
  await rm(old, { recursive: true, force: true });
}

/** A build that was killed leaves its folder, named by its process. */
async function removeLeftBuilds(): Promise<void> {
  for await (const folder of glob('build.*', { cwd: root })) {
    const [, pid] = folder.split('.');
    if (!isRunning(Number(pid))) await rm(join(root, folder), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function runBuild(into: string): Promise<void> {
  const program = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs');
  // CI: Vite otherwise takes closed standard input as a request to stop, and exits with success.
  const env = { ...process.env, CI: 'true', NODE_ENV: 'production', QUORATE_BUILD_DIRECTORY: into };
  const child = spawn(process.execPath, [program, 'build', root], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code === 0) return;
  await rm(into, { recursive: true, force: true });
  process.stderr.write(Buffer.concat(output));
  throw new Error('the build failed, see above');
}

const STARTER_LOOK_MS = 250;

/**
 * Ends this process as SIGTERM would when npm has ended that started it. npm signals the shell between the two and not this process, and a
 * kill -9 of npm signals nobody: a server would continue and hold its port. One that was started without npm may outlive its starter.
 */
function endWithStarter(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const look = setInterval(() => {
    if (process.ppid === shell && (npm === null || parentOf(shell) === npm)) return;
    process.emit('SIGTERM', 'SIGTERM');
  }, STARTER_LOOK_MS).unref();
  // A process that is already ending must not take the end of npm for a second, impatient signal. Before the server listens, the first one
  // ends the process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      clearInterval(look);
      if (process.listenerCount(signal) === 0) process.exit(1);
    });
  }
}

/** Null where the system does not say: then only the shell's end counts. */
function parentOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

/** With `--as-built` the existing build is used unchecked: tests build once and start often. */
async function startBuilt(entry: 'server' | 'worker'): Promise<void> {
  process.env.NODE_ENV = 'production';
  // Inherited by threads. Compiling the modules again would be the largest part of every start.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'quorate-compiled');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (!process.argv.includes('--as-built')) await buildWhenNeeded();
  const built = await import(pathToFileURL(join(buildDirectory, 'server', `${entry}.js`)).href);
  if (entry === 'worker') await built.startWorkerProcess();
  else await built.startServer({ kind: 'built', clientDirectory: join(buildDirectory, 'client') });
}

/** One process, one port: Vite's hot updates share the product's own server. */
async function startDevelopment({ mocked }: { mocked: boolean }): Promise<void> {
  process.env.NODE_ENV = 'development';
  // Vite takes the end of standard input as a request to stop, unless it runs in CI.
  process.env.CI ??= 'true';
  const server = createServer();
  const { createServer: createViteServer } = await import('vite');
  const vite = await createViteServer({ root, appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
  // React Router's plugin makes a second Vite, whose listener ends the process before the database has been closed.
  process.removeAllListeners('SIGTERM');
  const beside = mocked ? await startMocked((path) => vite.ssrLoadModule(path)) : undefined;
  const { startServer } = await vite.ssrLoadModule('/app/server.ts');
  if (beside === undefined) return startServer({ kind: 'vite', server, middlewares: vite.middlewares });
  const middlewares: RequestHandler = (request, response, next) =>
    beside.handle(request, response, (error?: unknown) => (error === undefined ? vite.middlewares(request, response, next) : next(error)));
  await startServer({ kind: 'vite', server, middlewares, close: beside.close });
}

/**
 * A mocked Supabase (tests/mocks) for the product in development: no project, no network, nothing kept. Its `handle` is called before Vite
 * and ends with the server. Vite loads it, and so reads again what was changed of it.
 */
async function startMocked(load: (path: string) => Promise<Record<string, unknown>>) {
  const { startMockedBackend } = (await load(
    '/tests/mocks/start-mocked-backend.ts',
  )) as typeof import('../tests/mocks/start-mocked-backend.ts');
  const served = () => load('/tests/mocks/served.ts') as Promise<typeof import('../tests/mocks/served.ts')>;
  const { settings, handle, close } = await startMockedBackend(served);
  for (const name of Object.keys(process.env)) if (/^(SUPABASE_|DATABASE_URL$|SMTP_URL$|TRUST_PROXY$)/.test(name)) delete process.env[name];
  Object.assign(process.env, settings);
  return { handle, close };
}

const how = process.argv[2] ?? 'server';
endWithStarter();
try {
  if (how === 'dev' || how === 'mocked') await startDevelopment({ mocked: how === 'mocked' });
  else if (how === 'server' || how === 'worker' || how === 'build') await (how === 'build' ? buildWhenNeeded() : startBuilt(how));
  else throw new Error(`there is no '${how}' to start`);
} catch (error) {
  process.stderr.write(`Quorate cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
