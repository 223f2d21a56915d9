import { expect, expectAccessible, openIn, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('a member arranges the dashboard, and has it as they like it', async ({ page }) => {
  await signIn(page, 'auditor');
  const main = page.locator('main');
  await page.goto('/dashboard');
  await main.getByRole('link', { name: 'Arrange', exact: true }).click();
  await expect(main.getByRole('heading', { level: 1, name: 'Arrange the dashboard' })).toBeVisible();
  await expectAccessible(page);
  if (withScripts()) await scriptsArrive(page);
  const side = main.getByRole('group', { name: 'What’s happening' });
  const order = () => side.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value));
  await main.getByRole('button', { name: 'Restore the default' }).click();
  await expect(page.getByText('The default arrangement is back.').first()).toBeVisible();
  expect((await order())[0]).toBe('since');
  await side.getByRole('button', { name: 'Move down: Since you were last here' }).click();
  await expect(page.getByText('Moved and saved.').first()).toBeVisible();
  await expect.poll(order).toEqual(['days', 'since', 'changes', 'health']);
  if (withScripts()) await expect(side.getByRole('button', { name: 'Move down: Since you were last here' })).toBeFocused();
  await side.getByRole('checkbox', { name: 'Health' }).uncheck();
  await main.getByRole('button', { name: 'Save arrangement' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('Dashboard arrangement saved.').first()).toBeVisible();
  for (const name of ['The last 14 days', 'Since you were last here'])
    await expect(main.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
  await expect(main.getByRole('heading', { level: 2, name: 'Health', exact: true })).toHaveCount(0);
  const headings = await main.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings.indexOf('The last 14 days')).toBeLessThan(headings.indexOf('Since you were last here'));
  await page.goto('/dashboard/arrange');
  await main.getByRole('button', { name: 'Restore the default' }).click();
  await expect(page.getByText('The default arrangement is back.').first()).toBeVisible();
  await page.goto('/dashboard');
  await expect(main.getByRole('heading', { level: 2, name: 'Health', exact: true })).toBeVisible();
});

test('the dashboard tells how the days went, what failed and what is new, in words too', async ({ page }) => {
  await signIn(page, 'admin');
  const main = page.locator('main');
  await page.goto('/dashboard');
  const days = main.getByRole('region', { name: 'The last 14 days' });
  await expect(days.getByText(/week before|No earlier data/).first()).toBeVisible();
  await days.getByText('The figures as a table').click();
  const table = days.getByRole('table', { name: 'Runs per day, by outcome' });
  await expect(table.getByRole('row')).toHaveCount(15);
  const errors = main.getByRole('region', { name: 'Errors in the last 7 days' });
  const group = errors.getByRole('link', { name: /^\d+ runs?$/ }).first();
  const count = Number.parseInt((await group.textContent()) ?? '', 10);
  await expectAccessible(page);
  await group.click();
  await expect(page).toHaveURL(/\/dashboard\/runs\?status=failed&workflow=.*&error=/);
  // Below the head there is a row for each of them.
  await expect(main.getByRole('row').nth(count)).toBeVisible();
});

test('the dashboard reads well in Arabic', async ({ page }) => {
  await signIn(page, 'admin');
  const arabic = await openIn(page, 'ar');
  for (const path of ['/dashboard', '/dashboard/arrange']) {
    await arabic.page.goto(path);
    await expect(arabic.page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expectAccessible(arabic.page);
  }
  await arabic.close();
});

test('the dashboard follows what happens, and holds still under the hand', async ({ page, secondPage }) => {
  await signIn(page, 'approver');
  await signIn(secondPage, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard');
  const newest = main.getByRole('region', { name: 'Newest runs' });
  const first = newest.getByRole('row').nth(1).getByRole('link').first();
  if (!withScripts()) {
    // A page without scripts stands as it was served, and the next one has what is new.
    const { run } = await startWaitingRun(secondPage);
    await page.reload();
    await expect(first).toHaveAttribute('href', run);
    return;
  }
  await scriptsArrive(page);
  // Away from the lists they follow on their own.
  await page.mouse.move(0, 0);
  const { run } = await startWaitingRun(secondPage);
  await expect(first).toHaveAttribute('href', run);
  // With the pointer among them they wait.
  await newest.getByRole('heading').hover();
  const { run: another } = await startWaitingRun(secondPage);
  const show = main.getByRole('button', { name: 'Show what’s new' });
  await expect(show).toBeVisible();
  await expect(first).toHaveAttribute('href', run);
  await show.click();
  await expect(first).toHaveAttribute('href', another);
  await expect(show).toBeHidden();
});
