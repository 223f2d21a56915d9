import { beginWalk, expect, signIn, test } from '#tests/e2e/support/journey.ts';

test.beforeEach(() => beginWalk());

test('a builder puts a gateway before built-in tools, fixes an argument and takes its address along', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/plugins');
  await page.getByRole('link', { name: 'Gateways', exact: true }).click();
  await page.getByRole('link', { name: 'New gateway' }).first().click();

  // A refusal keeps what was typed.
  await page.getByLabel('Name', { exact: true }).fill('Back office');
  await page.getByLabel(/^Address/).fill('Back Office');
  await page.getByRole('checkbox', { name: 'Builder' }).check();
  await page.getByRole('button', { name: 'Create gateway' }).click();
  await expect(page.getByText('Use small letters, digits and hyphens, with a letter or digit at both ends').first()).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Builder' })).toBeChecked();
  // Left empty, the address is made from the name.
  await page.getByLabel(/^Address/).fill('');
  await page.getByRole('button', { name: 'Create gateway' }).click();
  await expect(page.getByText('Gateway created. Choose its tools now.').first()).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search tools' }).fill('text');
  await page.locator('main').getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('checkbox', { name: /detect_personal_data/ }).check();
  await page.getByRole('checkbox', { name: /redact_text/ }).check();
  await page.getByRole('button', { name: 'Add selected' }).click();
  await expect(page.getByText('Tools added. Clients see them from now on.').first()).toBeVisible();
  await expect(page.getByLabel('Address', { exact: true }).first()).toHaveValue(/\/mcp\/[^/]+\/back-office$/);
  await expect(page.locator('pre').filter({ hasText: 'mcpServers' })).toContainText('/back-office');

  await page.getByRole('link', { name: 'redact_text' }).click();
  await page.getByLabel('Name for clients').fill('redact_for_mail');
  await page.getByLabel(/^text/).fill('Nothing to see');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Tool saved. It holds from the next call on.').first()).toBeVisible();
  await expect(page.getByRole('row', { name: /redact_for_mail/ })).toContainText('text = Nothing to see');

  await page.getByRole('link', { name: 'detect_personal_data' }).click();
  await page.getByRole('link', { name: 'Remove from gateway' }).click();
  await page.getByRole('button', { name: 'Remove tool' }).click();
  await expect(page.getByText('Tool removed. Clients no longer see it.').first()).toBeVisible();

  await page.locator('input[name="callerCallsAMinute"]').fill('60');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Saved. It holds from the next call on.').first()).toBeVisible();
  await expect(page.locator('input[name="callerCallsAMinute"]')).toHaveValue('60');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('This gateway is paused').first()).toBeVisible();

  await page.goto('/dashboard/plugins/gateways');
  const row = page.getByRole('row', { name: /Back office/ });
  await expect(row).toContainText('Builder');
  await expect(row).toContainText('Inactive');
});
