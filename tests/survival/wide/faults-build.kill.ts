/** A build of which a file is cut off, missing or of another version is made again at the start, and one taken as it is fails with words. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, truncateSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { freshDataDirectory } from '#tests/support/running-server.ts';
import { full } from '#tests/survival/support/kills.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const SHIPPED = [
  'app',
  'locales',
  'public',
  'supabase',
  'tests/bench/results',
  'tests/survival/results.json',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
];

/** A copy of what is shipped, so that harming its build harms no other test. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'quorate-copy-'));
  for (const path of SHIPPED) cpSync(join(root, path), join(copy, path), { recursive: true });
  cpSync(join(root, 'build'), join(copy, 'build'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

const start = (...args: string[]) => ['--disable-warning=ExperimentalWarning', join(copy, 'app', 'start.ts'), ...args];
function build(): string {
  const run = spawnSync(process.execPath, start('build'), { cwd: copy, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  expect(run.status, run.stderr).toBe(0);
  return run.stdout;
}
const oneOf = (pattern: string) => {
  const [path] = globSync(pattern, { cwd: copy }).sort();
  if (path === undefined) throw new Error(`the build has no ${pattern}`);
  return join(copy, path);
};

test('a whole build is taken as it is', () => {
  expect(build()).toBe('');
});

const HARMS: [name: string, harm: () => void][] = [
  ['a cut-off worker.js', () => truncateSync(join(copy, 'build/server/worker.js'), 200)],
  ...(full
    ? ([
        ['a missing server.js', () => unlinkSync(join(copy, 'build/server/server.js'))],
        ['a missing file of the browser', () => unlinkSync(oneOf('build/client/assets/*.js'))],
        ['a cut-off file of the browser', () => truncateSync(oneOf('build/client/assets/*.css'), 10)],
        ['missing digests', () => unlinkSync(join(copy, 'build/digests.json'))],
        ['no build at all', () => rmSync(join(copy, 'build'), { recursive: true })],
      ] satisfies [string, () => void][])
    : []),
];

test.each(HARMS)('%s is built again', { timeout: 600_000 }, (_, harm) => {
  harm();
  expect(build()).toContain('Building Quorate');
  expect(build()).toBe('');
});

test('a server that takes a build with a cut-off worker.js as it is ends with words, and answers 503 for no longer', async () => {
  const dataDirectory = await freshDataDirectory();
  truncateSync(join(copy, 'build/server/worker.js'), 0);
  const env = { ...process.env, NODE_OPTIONS: '', PORT: String(await freePort()), QUORATE_DATA_DIR: dataDirectory, QUORATE_DEMO: 'off' };
  const server = spawn(process.execPath, start('server', '--as-built'), { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(server, 'close');
  expect(said).toContain('Quorate cannot start: the worker thread ended while its modules loaded: build again with npm run build');
  expect(code).toBe(1);
  rmSync(dataDirectory, { recursive: true, force: true });
});
