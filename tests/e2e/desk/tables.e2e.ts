import type { Locator } from '@playwright/test';
import { expect, expectAccessible, openIn, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

test('a reader chooses the columns of a list and how close its rows stand, each list for itself', async ({ page }) => {
  await signIn(page, 'auditor');
  const main = page.locator('main');
  await page.goto('/dashboard/runs?mode=live');
  if (withScripts()) await scriptsArrive(page);
  const header = (name: string) => main.getByRole('columnheader', { name, exact: true });
  await expect(header('Kind')).toBeVisible();
  await main.getByText('View', { exact: true }).click();
  await expectAccessible(page);
  await main.getByRole('checkbox', { name: 'Kind', exact: true }).uncheck();
  await main.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('Columns saved for this list.').first()).toBeVisible();
  await expect(page).toHaveURL('/dashboard/runs?mode=live');
  await expect(header('Kind')).toHaveCount(0);
  await expect(header('Status')).toBeVisible();
  await page.goto('/dashboard/audit');
  await expect(header('Timestamp')).toBeVisible();
  await page.goto('/dashboard/runs');
  await expect(header('Kind')).toHaveCount(0);
  if (withScripts()) await scriptsArrive(page);
  await main.getByText('View', { exact: true }).click();
  await main.getByRole('button', { name: 'Compact', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await page.goto('/dashboard/runs');
  await main.getByText('View', { exact: true }).click();
  await main.getByRole('checkbox', { name: 'Kind', exact: true }).check();
  await main.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(header('Kind')).toBeVisible();
});

test('the menu of a list reads well in Arabic', async ({ page }) => {
  await signIn(page, 'auditor');
  const arabic = await openIn(page, 'ar');
  await arabic.page.goto('/dashboard/audit');
  await arabic.page.locator('main details > summary:visible').last().click();
  await expectAccessible(arabic.page);
  await arabic.close();
});

test('on a wide screen the note on the language of the demo begins where the list above it does', async ({ page }) => {
  await signIn(page, 'builder');
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto('/dashboard/workflows?lng=de');
  const begins = (of: Locator) =>
    of.evaluate((at) => at.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(at).paddingLeft));
  expect(await begins(page.locator('p').filter({ hasText: 'Die Texte der Demo' }))).toBe(await begins(page.locator('main h1')));
});

test('a list is narrowed by links with counts, ordered by its headers, and leaves as the same file', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard/workflows/new');
  await main.getByLabel('Name').fill('Not yet published');
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await page.goto('/dashboard/workflows');
  if (withScripts()) await scriptsArrive(page);
  const filters = main.getByRole('navigation', { name: 'Narrow down' });
  const active = filters.getByRole('link', { name: /^Active \d+$/ });
  const count = Number((await active.textContent())?.replace(/\D/g, ''));
  await active.click();
  await expect(page).toHaveURL('/dashboard/workflows?status=active');
  const rows = main.locator('tbody tr');
  await expect(rows).toHaveCount(count);
  await main.getByRole('link', { name: 'Name', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/workflows?status=active&sort=name');
  const header = main.getByRole('columnheader', { name: 'Name', exact: true });
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await main.getByRole('link', { name: 'Name', exact: true }).click();
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expectAccessible(page);
  const file = await page.request.get((await main.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '');
  expect(file.headers()['content-disposition']).toBe('attachment; filename="quorate-workflows.csv"');
  const lines = (await file.text()).trim().split('\r\n');
  expect(lines[0]).toContain('workflow_id,name,description,status');
  expect(lines.length - 1).toBe(count);
  await filters.getByRole('link', { name: /^Active .*Remove this filter$/ }).click();
  await expect(page).toHaveURL('/dashboard/workflows?sort=-name');
  // On a phone rows are cards, and one menu orders them.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(main.getByRole('link', { name: 'Name', exact: true })).toBeHidden();
  await main.getByText('Sort by: Name', { exact: true }).click();
  await main.getByRole('link', { name: 'Status', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/workflows?sort=status');
  await expect(main.getByText('Sort by: Status', { exact: true })).toBeVisible();
});

test('several workflows are paused at once, and the notice takes it back', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard/workflows?status=active&sort=name');
  if (withScripts()) await scriptsArrive(page);
  const boxes = main.locator('tbody').getByRole('checkbox');
  const name = (await boxes.first().getAttribute('aria-label')) ?? '';
  await boxes.first().check();
  await boxes.nth(1).check();
  await main.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(main.getByText('Workflows paused: 2. Not changed: 0.')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/workflows?status=active&sort=name');
  await expect(main.getByRole('checkbox', { name })).toHaveCount(0);
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(main.getByText('Workflows resumed: 2. Not changed: 0.')).toBeVisible();
  await expect(main.getByRole('checkbox', { name })).toBeVisible();
  await main.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(main.getByText('Nothing was selected.')).toBeVisible();
});

test('runs are ordered by what has no index, and their filters say how many each leaves', async ({ page }) => {
  await signIn(page, 'auditor');
  const main = page.locator('main');
  await page.goto('/dashboard/runs');
  if (withScripts()) await scriptsArrive(page);
  await expect(main.getByLabel('Status').locator('option', { hasText: /^Completed \(\d+\)$/ })).toHaveCount(1);
  await main.getByRole('link', { name: 'Status', exact: true }).click();
  await expect(main.getByRole('columnheader', { name: 'Status', exact: true })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL('/dashboard/runs?sort=status');
  await expectAccessible(page);
  const file = await page.request.get((await main.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '');
  const statuses = (await file.text())
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => /,(completed|failed|cancelled|waiting|pending|processing),/.exec(line)?.[1] ?? '');
  expect(statuses.length).toBeGreaterThan(5);
  expect(statuses).toEqual(statuses.toSorted());
});
