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
  await expect(main.getByText('Columns saved for this list.')).toBeVisible();
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
  await arabic.page.locator('main details > summary').last().click();
  await expectAccessible(arabic.page);
  await arabic.close();
});
