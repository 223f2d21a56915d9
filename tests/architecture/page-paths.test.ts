import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { sourceFiles } from '#tests/architecture/source-files.ts';

// Pages take their addresses from the router, `href('/dashboard/runs/:run', { run })`, which the compiler holds against the routes. The
// floors below know no router: what they write is held against the routes here.

const LITERAL = /(['"`])(?:\$\{[\w.]+\})?(\/dashboard(?:\/[^'"`\s]*)?)\1/g;
const HREF = /\bhref\($/;
/** A pattern that is handed to `href` elsewhere: the compiler holds it there. */
const PATTERN = /\/:/;
/** Beginnings of addresses, compared with that of a page or held by the compiler where they are completed. */
const BEGINNINGS = [
  'app/features/shell/navigation.ts',
  'app/features/shell/navigation-names.ts',
  'app/features/connections/connection-area.ts',
  // a call as the module loads would keep its texts in the scripts of the start page
  'app/features/public/evidence/claims.ts',
];
const COMPARED = /(?:startsWith\(|=== )$/;

const product = (folder: string) => sourceFiles(folder).filter(({ path }) => !/\.test\.tsx?$/.test(path));
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/[^\n]*/gm, '');

function patternsOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? above : `${above}/${entry.path}`;
    return [path, ...patternsOf(entry.children ?? [], path)];
  });
}

test('features, components and routes write no address of a page by hand', () => {
  const found = ['app/features', 'app/components', 'app/routes'].flatMap(product).flatMap(({ path, text }) => {
    if (BEGINNINGS.includes(path)) return [];
    const code = withoutComments(text);
    return [...code.matchAll(LITERAL)]
      .filter(
        ({ 2: address = '', index }) => !PATTERN.test(address) && !HREF.test(code.slice(0, index)) && !COMPARED.test(code.slice(0, index)),
      )
      .map(([literal]) => `${path}: ${literal}`);
  });
  expect(found).toEqual([]);
});

test('each address of a page that domain, engine and platform write leads to one', async () => {
  const patterns = patternsOf((await routes) as RouteConfigEntry[]).map(
    (path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`),
  );
  const written = ['app/contracts', 'app/domain', 'app/engine', 'app/platform'].flatMap(product).flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(LITERAL)].map(([, , address = '']) => ({
      path,
      address: address.replace(/[?#].*/, '').replace(/\$\{[^}]*\}/g, 'id'),
    })),
  );
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter(({ address }) => !patterns.some((pattern) => pattern.test(address)))).toEqual([]);
});
