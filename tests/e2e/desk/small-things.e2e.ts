import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('a question mark lists the shortcuts, except where it is typed @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows');
  await scriptsArrive(page);
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const link = page.locator('main').getByRole('link').first();
  await link.focus();
  await page.keyboard.press('?');
  await expect(sheet.getByText('Show this list of shortcuts')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(link).toBeFocused();
  const words = page.locator('main').getByRole('searchbox');
  await words.fill('');
  await words.press('?');
  await expect(words).toHaveValue('?');
  await expect(sheet).toBeHidden();
});

test('the search offers acts: running a workflow, the next decision, the other theme', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard/search?q=run%20records');
  await main
    .getByRole('link', { name: /^Run Records/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/dashboard\/workflows\/[0-9a-f-]{36}\/run$/);
  await page.goto('/dashboard/search?q=dark%20theme');
  await main.getByRole('button', { name: 'Switch to the dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await startWaitingRun(page);
  await signIn(secondPage, 'approver');
  await secondPage.goto('/dashboard/search?q=next%20approval');
  await secondPage.locator('main').getByRole('link', { name: 'Decide the next approval' }).click();
  await expect(secondPage).toHaveURL(/\/dashboard\/approvals\/[0-9a-f-]{36}$/);
  if (!withScripts()) return;
  await scriptsArrive(secondPage);
  await secondPage.keyboard.press('Control+k');
  await secondPage.getByRole('combobox', { name: 'Search' }).fill('dark theme');
  const offered = secondPage.getByRole('dialog').getByRole('option', { name: 'Switch to the dark theme' });
  await expect(offered).toBeVisible();
  await offered.click();
  await expect(secondPage.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(secondPage.getByRole('dialog')).toBeHidden();
});

test('a key is copied whole, and the page says so @scripts', async ({ page }) => {
  await signIn(page, 'auditor');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/dashboard/audit/checkpoints');
  await scriptsArrive(page);
  const main = page.locator('main');
  const key = await main.locator('pre').first().textContent();
  await main
    .getByRole('button', { name: /^Copy: / })
    .first()
    .click();
  await expect(page.locator('[data-announcer]')).toContainText(/Copied: /);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
});
