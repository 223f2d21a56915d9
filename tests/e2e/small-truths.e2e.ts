import { expect, signIn, test } from '#tests/e2e/support/journey.ts';
import { startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('an invitation that does not exist offers ways on', async ({ page }) => {
  const answer = await page.goto('/invitations/no-such-token');
  expect(answer?.status()).toBe(404);
  const main = page.locator('main');
  await expect(main.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard');
  await main.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('each customer that was made up is called an example', async ({ page }) => {
  await page.goto('/');
  const quotes = page.locator('#testimonials figure');
  await expect(quotes).toHaveCount(3);
  await expect(page.locator('#testimonials').getByText('Example', { exact: true })).toHaveCount(3);
});

test('a law says which technical controls stand, and never that it is met', async ({ page }) => {
  await signIn(page, 'auditor');
  await page.goto('/dashboard/policies/compliance/gdpr');
  const main = page.locator('main');
  await expect(main).toContainText('That does not make you compliant with a law or standard.');
  await expect(main.getByText('Technical controls', { exact: true })).toBeVisible();
  // Breadcrumbs lead here: there is a mark between two of them, and none behind the last.
  const crumbs = page.getByRole('navigation', { name: 'You are here' }).getByRole('listitem');
  await expect(crumbs).toHaveCount(2);
  expect(await crumbs.last().evaluate((item) => item.lastElementChild?.localName)).toBe('a');
  await page.goto('/dashboard/policies/compliance');
  await expect(page.getByRole('row', { name: /^GDPR/ })).not.toContainText('Compliant');
});

test('a value of a run is there whole, as a file', async ({ page }) => {
  await signIn(page, 'builder');
  const { run } = await startWaitingRun(page);
  const answer = await page.request.get(`${run}/value?of=input`);
  expect(answer.headers()['content-disposition']).toMatch(/^attachment; filename="quorate-run-[\w-]+-input\.json"$/);
  expect(Object.keys(await answer.json())).toContain('record');
  expect((await page.request.get(`${run}/value?of=output&step=nothing`)).status()).toBe(404);
});
