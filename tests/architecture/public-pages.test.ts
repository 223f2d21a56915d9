import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { describe, expect, it } from 'vitest';
import { PUBLIC_PAGES, socialPicture, UNLISTED_PAGES } from '#app/domain/web/public-pages.ts';
import routes from '#app/routes.ts';
import { root } from '#tests/architecture/source-files.ts';

/** Addresses that show a page to anyone, by the file of the route: the app area has none, and a route without a screen is no page. */
function pagesIn(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = entry.path === undefined ? above : `${above}/${entry.path}`;
    if (path.startsWith('/dashboard')) return [];
    const children = pagesIn(entry.children ?? [], path);
    const isPage = entry.file.endsWith('.tsx') && entry.children === undefined;
    return isPage ? [path === '' ? '/' : path, ...children] : children;
  });
}

describe('each public page', () => {
  const pages = pagesIn(routes as RouteConfigEntry[]);

  it('stands in the table of pages that may be found, or in the list of those that may not', () => {
    expect([...Object.keys(PUBLIC_PAGES), ...UNLISTED_PAGES].sort()).toEqual([...new Set(pages)].sort());
  });

  it.each(Object.keys(PUBLIC_PAGES))('has its picture of 1200 by 630: %s', (path) => {
    const file = join(root, 'public', socialPicture(path));
    expect(existsSync(file), 'run node tests/recording/social.ts').toBe(true);
    const png = readFileSync(file);
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.length, 'a preview that loads at once').toBeLessThan(120_000);
  });
});
