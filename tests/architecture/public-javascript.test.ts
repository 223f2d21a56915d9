import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { root } from '#tests/architecture/source-files.ts';

// Needs a build (npm test makes one before).
const client = join(root, 'build', 'client');
/** Bytes (gzip) that `/` may bring: 1.25 times what a page of the router with nothing in it sends (116 KB). */
const LIMIT = 145_000;
/** What a public page must not bring until it is used. */
const HEAVY: [string, RegExp][] = [
  ['a validation library', /ZodError|\$ZodType|intent\/conform|@conform-to/],
  ['i18next, which stays on the server', /pluralResolver|missingKeyHandler/],
  ['dialogs and toasts', /DialogContent|ToastViewport|data-sonner/],
];

type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, { module: string; imports?: string[] }> };

/** The modules that a browser loads to open a page of these routes. The list of all routes is not among them: it is fetched piece by piece. */
function modulesOf(routes: readonly string[]): string[] {
  const assets = join(client, 'assets');
  const file = readdirSync(assets).find((name) => /^manifest-.*\.js$/.test(name)) ?? expect.fail('no manifest');
  const text = readFileSync(join(assets, file), 'utf8');
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const named = routes.map((id) => manifest.routes[id] ?? expect.fail(`no route ${id}`));
  return [...new Set([manifest.entry, ...named].flatMap(({ module, imports = [] }) => [module, ...imports]))];
}

describe.runIf(existsSync(client))('the JavaScript of the start page', () => {
  const modules = existsSync(client) ? modulesOf(['root', 'routes/public/home']) : [];
  const code = modules.map((path) => ({ path, text: readFileSync(join(client, path), 'utf8') }));

  it('stays within its limit', () => {
    const sizes = code.map(({ path, text }) => ({ path, bytes: gzipSync(text).length })).sort((a, b) => b.bytes - a.bytes);
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, sizes.map(({ path, bytes }) => `${bytes} ${path}`).join('\n')).toBeLessThanOrEqual(LIMIT);
  });

  it.each(HEAVY)('does not bring %s', (_what, pattern) => {
    expect(code.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('comes in few files, and the same ones on every page', () => {
    const names = (routes: string[]) => modulesOf(routes).map((path) => path.replace(/^\/assets\/|-[\w-]{8}\.js$/g, ''));
    expect(names(['root']).sort()).toEqual(['entry.client', 'page', 'react-base', 'root']);
    expect(modules.length, modules.join('\n')).toBeLessThanOrEqual(9);
  });

  it('brings none of the parts that the server draws alone', () => {
    expect(code.filter(({ text }) => text.includes('highlights.engine') || text.includes('Nordhafen')).map(({ path }) => path)).toEqual([]);
  });
});
