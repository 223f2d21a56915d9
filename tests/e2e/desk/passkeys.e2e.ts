import type { Page } from '@playwright/test';
import { expect, expectAccessible, newestMail, scriptsArrive, test } from '#tests/e2e/support/journey.ts';

/** Chromium's own authenticator, which verifies its user without asking. `touch`: whether somebody is there to touch it. */
async function addAuthenticator(page: Page): Promise<{ touch(there: boolean): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async touch(there) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: there });
    },
  };
}

test('a passkey is made, signs in alone, and is the factor after a password @scripts', async ({ page }) => {
  const email = 'passkey@passkeys.example';
  const password = 'a password beside a passkey';
  const main = page.locator('main');
  const authenticator = await addAuthenticator(page);
  await page.goto('/auth?mode=sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await main.getByRole('button', { name: 'Sign Up' }).click();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Check your email');
  await page.goto(/\/auth\/confirm\?\S+/.exec((await newestMail(email)).text)?.[0] ?? '');
  await main.getByRole('button', { name: 'Confirm' }).first().click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/dashboard/account/security/passkeys');
  await scriptsArrive(page);
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await expect(page.getByText('Store these recovery codes now')).toBeVisible();
  await page.getByRole('link', { name: 'I have stored them' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Laptop' }).click();
  await expect(main.getByRole('heading', { level: 1 })).toContainText('Laptop');
  await expectAccessible(page);
  await page.goto(`${page.url()}?lng=ar`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expectAccessible(page);
  await page.goto('/dashboard?lng=en');

  // By its button, without an address. What the browser offers in the field has to wait, and is given up.
  await authenticator.touch(false);
  const signOut = () => page.context().clearCookies({ name: /^sb-/ });
  await signOut();
  await page.goto('/auth?next=%2Fdashboard%2Faccount%2Fsessions');
  await scriptsArrive(page);
  await authenticator.touch(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard\/account\/sessions$/);

  await authenticator.touch(false);
  await signOut();
  await page.goto('/auth');
  await scriptsArrive(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await main.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/auth\/factor$/);
  await expectAccessible(page);
  await authenticator.touch(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
