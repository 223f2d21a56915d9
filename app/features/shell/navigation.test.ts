import { expect, test } from 'vitest';
import { activeItem, SIDEBAR } from '#app/features/shell/navigation.ts';
import routes from '#app/routes.ts';

test.each([
  ['/dashboard', 'dashboard'],
  ['/dashboard/workflows', 'workflows'],
  ['/dashboard/workflows/018f/edit', 'workflows'],
  ['/dashboard/runs/018f', 'workflows'],
  ['/dashboard/admin-tools', 'admin'],
  ['/dashboard/admin/members', 'admin'],
  ['/dashboard/workflowsish', null],
  ['/dashboard/approvals', null],
  ['/', null],
])('%s is under %s', (path, item) => {
  expect(activeItem(path)).toBe(item);
});

test('no entry leads nowhere', async () => {
  const paths = new Set((await routes).flatMap((route) => pathsOf(route, '')));
  const entries = SIDEBAR.flatMap((group) => group.items.map((item) => item.route));
  expect(entries.filter((entry) => !paths.has(entry))).toEqual([]);
});

type Configured = { path?: string | undefined; index?: boolean | undefined; file: string; children?: Configured[] | undefined };

/** Full paths of the routes that have a screen of their own. */
function pathsOf(route: Configured, above: string): string[] {
  const path = route.path === undefined ? above : `${above}/${route.path}`;
  const screen = route.index || !route.children ? [path] : [];
  return [...screen, ...(route.children ?? []).flatMap((child) => pathsOf(child, path))];
}
