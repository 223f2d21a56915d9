import { expect, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

test('a builder makes a key for a program, and ends a session elsewhere', async ({ page, secondPage, request }) => {
  await signIn(page, 'builder');
  await signIn(secondPage, 'builder');

  await page.goto('/dashboard/account');
  await page.locator('main').getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'Create an API key' }).first().click();
  const name = `Nightly ${withScripts() ? 'with' : 'without'} scripts`;
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Read workflows and connections').check();
  await page.getByRole('button', { name: 'Create an API key' }).click();
  const secret = await page.getByRole('textbox', { name: 'The key' }).inputValue();
  const told = await request.get('/api/v1/key', { headers: { Authorization: `Bearer ${secret}` } });
  expect(await told.json()).toMatchObject({ name, scopes: ['runs:read', 'workflows:read'] });

  await page.getByRole('link', { name: 'I have stored it' }).click();
  await expect(page.locator('main')).not.toContainText(secret);
  await page.getByRole('link', { name: `Revoke ${name}` }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('API key revoked.').first()).toBeVisible();
  expect((await request.get('/api/v1/key', { headers: { Authorization: `Bearer ${secret}` } })).status()).toBe(401);

  await page.getByRole('link', { name: 'Sessions' }).click();
  await expect(page.getByText('This session', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
  await expect(page.getByText('You are signed out everywhere else.').first()).toBeVisible();
  await secondPage.goto('/dashboard/runs');
  await expect(secondPage).toHaveURL(/\/auth\?next=/);
});

test('a session that ends while a form is filled in loses nothing of it', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/account/profile');
  await page.getByLabel('Name').fill('A name typed before');
  const cookies = await page.context().cookies();
  await page.context().clearCookies({ name: /^sb-/ });
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('A name typed before').first()).toBeVisible();
  await page.context().addCookies(cookies);
});

for (const scripts of ['there', 'not there yet'] as const) {
  test(`a sign-out in one tab reaches the others, its scripts ${scripts} @scripts`, async ({ page }) => {
    await signIn(page, 'auditor');
    const other = await page.context().newPage();
    await other.goto('/dashboard/help');
    await scriptsArrive(other);
    if (scripts === 'there') {
      await page.goto('/auth/sign-out');
      await scriptsArrive(page);
    } else {
      const held = new Promise<void>((resolve) => page.route('**/*.js', () => resolve()));
      await page.goto('/auth/sign-out', { waitUntil: 'domcontentloaded' });
      await held;
      await page.unroute('**/*.js');
    }
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await expect(page.getByText('You are signed out.').first()).toBeVisible();
    await expect(other).toHaveURL(/\/auth(?:\?|$)/);
  });
}
