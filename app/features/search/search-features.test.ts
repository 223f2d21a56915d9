import { expect, test } from 'vitest';
import { SEARCH_FEATURES } from '#app/features/search/search-features.ts';
import routes from '#app/routes.ts';

type Configured = { path?: string | undefined; children?: Configured[] | undefined };

test('no feature that is found leads nowhere', async () => {
  const pathsOf = (route: Configured, above: string): string[] => {
    const path = route.path === undefined ? above : `${above}/${route.path}`;
    return [path, ...(route.children ?? []).flatMap((child) => pathsOf(child, path))];
  };
  const paths = new Set((await routes).flatMap((route) => pathsOf(route as Configured, '')));
  expect(SEARCH_FEATURES.map(({ path }) => path).filter((path) => !paths.has(path.replace(/\?.*/, '')))).toEqual([]);
});
