import { expect, test } from 'vitest';
import { activeItem } from '#app/features/shell/navigation.ts';

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
