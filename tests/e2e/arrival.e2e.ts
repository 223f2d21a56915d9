import { demoAccount, expect, expectAccessible, openMailbox, test } from '#tests/e2e/support/journey.ts';

test('the first page of an empty machine answers and can be used by everyone', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test('a person of the demo workspace signs in and finds its workflows', async ({ page }) => {
  const builder = demoAccount('builder');
  await page.goto('/dashboard/workflows');
  await page.getByLabel('E-mail').fill(builder.email);
  await page.getByLabel('Password', { exact: true }).fill(builder.password);
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard\/workflows$/);
  for (const name of ['Payment screening', 'Discharge letter', 'Records request'])
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
});

test('the mailbox opens on this machine', async ({ page }) => {
  await openMailbox(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Mailbox' })).toBeVisible();
  await expectAccessible(page);
});
