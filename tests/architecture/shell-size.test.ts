import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { SHARED_NAMESPACES } from '#app/platform/i18n/namespaces.ts';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';

// The JavaScript of the shell may be at most 90 KB gzip above an empty React Router page, which sends 116 KB. Needs a build (npm test makes
// one before).
const EMPTY_PAGE = 116_000;
const SHELL = 90_000;
const client = join(root, 'build', 'client');
const assets = join(client, 'assets');

type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, { module: string; imports?: string[] }> };

/** What the routes name in `handle.i18n`: a browser fetches a file for each. */
function namespacesOf(...routes: string[]): string[] {
  return sourceFiles('app')
    .filter(({ path }) => routes.includes(path))
    .flatMap(({ text }) => [...(/export const handle = \{[^}]*i18n: \[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)])
    .map(([, name = '']) => name);
}

describe.runIf(existsSync(assets))('the dashboard', () => {
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const manifestFile = names.find((name) => /^manifest-.*\.js$/.test(name)) ?? '';
  const sizeOf = (path: string) => gzipSync(readFileSync(join(client, path))).length;

  it('loads no more JavaScript than it may', () => {
    const text = readFileSync(join(assets, manifestFile), 'utf8');
    const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const files = new Set([manifest.entry.module, ...manifest.entry.imports, `/assets/${manifestFile}`]);
    for (const id of ['root', 'routes/dashboard/layout', 'routes/dashboard/home']) {
      const route = manifest.routes[id];
      if (route === undefined) return expect.fail(`no route ${id}`);
      for (const file of [route.module, ...(route.imports ?? [])]) files.add(file);
    }
    const texts = [
      ...SHARED_NAMESPACES,
      ...namespacesOf('app/root.tsx', 'app/routes/dashboard/layout.tsx', 'app/routes/dashboard/home.tsx'),
    ];
    const inLanguage = (language: string) =>
      [...new Set(texts)].reduce((total, namespace) => total + sizeOf(`/assets/texts/${language}/${namespace}.json`), 0);
    const largest = Math.max(...LANGUAGES.map(inLanguage));
    expect(largest).toBeGreaterThan(1_000);
    const sum = [...files].reduce((total, file) => total + sizeOf(file), 0) + largest;
    expect(sum).toBeGreaterThan(EMPTY_PAGE / 2);
    expect(sum, `${largest} of it texts`).toBeLessThanOrEqual(EMPTY_PAGE + SHELL);
  });

  it('asks for validation and the palette when they are first used', () => {
    const text = readFileSync(join(assets, manifestFile), 'utf8');
    const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const layout = manifest.routes['routes/dashboard/layout'];
    const home = manifest.routes['routes/dashboard/home'];
    const files = [...(layout?.imports ?? []), ...(home?.imports ?? [])];
    expect(files.filter((file) => /ZodError|parseSubmission|cmdk-input/.test(readFileSync(join(client, file), 'utf8')))).toEqual([]);
  });
});
