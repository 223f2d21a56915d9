import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import {
  demoAccount,
  expect,
  newestMail,
  pageRests,
  scriptsArrive,
  scriptsOf,
  sendRefused,
  signIn,
  signInByForm,
  test,
  withScripts,
} from '#tests/e2e/support/journey.ts';

const main = (page: Page) => page.locator('main');

test('an address is typed once, whatever comes between; the link of the mail leaves nothing behind', async ({ page }) => {
  const email = `typed-once-${withScripts() ? 'with' : 'without'}@example.com`;
  await page.goto('/auth?mode=sign-up');
  if (withScripts()) await scriptsArrive(page);
  await expect(main(page).getByText(/12 or more/)).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('abc');
  await sendRefused(main(page).getByRole('button', { name: 'Sign Up' }));
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(withScripts() ? 'abc' : '');

  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await main(page).getByRole('button', { name: 'Sign Up' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Check your email');
  await expect(main(page).getByRole('textbox', { name: 'E-mail' }).first()).toHaveValue(email);
  // A code that is not right is told on the same page.
  await main(page).getByLabel('6-digit code').fill('000000');
  await sendRefused(main(page).getByRole('button', { name: 'Confirm with the code' }));
  await expect(main(page).getByText('This code is wrong or has expired').first()).toBeVisible();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Check your email');
  // So soon it is refused, with the seconds to wait and the address still there.
  await main(page).getByRole('button', { name: 'Send a new e-mail' }).click();
  await expect(
    main(page)
      .getByRole('alert')
      .or(main(page).getByText(/seconds?/))
      .first(),
  ).toBeVisible();
  await expect(main(page).getByRole('textbox', { name: 'E-mail' }).last()).toHaveValue(email);

  const { text } = await newestMail(email);
  const link = /\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '';
  const token = new URLSearchParams(link.split('?')[1]).get('token_hash') ?? 'none';
  await page.goto(link);
  await main(page).getByRole('button').first().click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(main(page).getByRole('heading', { level: 1 })).not.toHaveText(/Confirm/);
  expect(await page.content()).not.toContain(token);
  expect(readFileSync(process.env.QUORATE_E2E_LOG ?? '', 'utf8')).not.toContain(token);
  await page.goto(link);
  await main(page).getByRole('button').first().click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(/no longer works/);
});

test('a mail signs in: its code in any browser, its link in the one that asked', async ({ page }) => {
  // One mail a minute to each person.
  const { email } = demoAccount(({ none: 'auditor', blocked: 'builder', late: 'approver', 'as set': 'admin' } as const)[scriptsOf()]);
  const other = await page.context().browser()?.newContext({ javaScriptEnabled: withScripts() });
  if (other === undefined) throw new Error('no browser');
  await page.goto('/auth?next=%2Fdashboard%2Faudit');
  if (withScripts()) await scriptsArrive(page);
  await page.getByLabel('E-mail').fill(email);
  await main(page).getByRole('button', { name: 'E-mail me a link or code' }).click();
  await expect(page).toHaveURL(/\/auth\/mail\?sent=1$/);
  await expect(main(page).getByRole('textbox', { name: 'E-mail' }).first()).toHaveValue(email);
  await main(page).getByLabel('6-digit code').fill('000000');
  await sendRefused(main(page).getByRole('button', { name: 'Sign In' }));
  await expect(main(page).getByText('This code is wrong or has expired').first()).toBeVisible();

  const { text } = await newestMail(email, 'Sign in');
  const link = /\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '';
  const elsewhere = await other.newPage();
  await elsewhere.goto(new URL(link, page.url()).href);
  await expect(main(elsewhere)).toContainText('The link works only in the browser where you asked for it.');
  await page.goto(link);
  await expect(main(page)).toContainText(`signs you in as ${email}`);
  await main(page).getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit$/);
  await main(elsewhere).getByLabel('E-mail').fill(email);
  await main(elsewhere)
    .getByLabel('6-digit code')
    .fill(/\b\d{6}\b/.exec(text)?.[0] ?? '');
  await sendRefused(main(elsewhere).getByRole('button', { name: 'Sign In' }));
  await expect(main(elsewhere).getByText('This code is wrong or has expired').first()).toBeVisible();
  await other.close();
});

test('the tabs follow the arrow keys and keep the address; a password can be looked at @scripts', async ({ page }) => {
  await page.goto('/auth');
  await scriptsArrive(page);
  await page.getByLabel('E-mail').fill('ada@example.com');
  const tabs = main(page).getByRole('navigation');
  await tabs.getByRole('link', { name: 'Sign In' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/mode=sign-up/);
  await expect(tabs.getByRole('link', { name: 'Sign Up' })).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.com');
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/mode=sign-in/);
  await expect(tabs.getByRole('link', { name: 'Sign In' })).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.com');

  const password = page.getByLabel('Password', { exact: true });
  await password.fill('a secret');
  await main(page).getByRole('button', { name: 'Show' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toHaveValue('a secret');
  await main(page).getByRole('button', { name: 'Show' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

test('arrow keys that are quicker than the page lead to the tab that has the focus @scripts', async ({ page }) => {
  await page.goto('/auth');
  await scriptsArrive(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/auth.data*', async (route) => {
    await held;
    // The first of the two is no longer wanted.
    await route.continue().catch(() => undefined);
  });
  const tabs = main(page).getByRole('navigation');
  await tabs.getByRole('link', { name: 'Sign In' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.getByRole('link', { name: 'Sign Up' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(tabs.getByRole('link', { name: 'Sign In' })).toBeFocused();
  answer();
  await expect(page).toHaveURL(/mode=sign-in/);
  await expect(tabs.getByRole('link', { name: 'Sign In' })).toHaveAttribute('aria-current', 'page');
});

test('a refusal that stands behind the hash of the default link is told @scripts', async ({ page }) => {
  for (const path of ['/reset-password', '/app/dashboard', '/auth/confirm']) {
    await page.goto(`${path}#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid`);
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText(/no longer works/);
    expect(page.url()).not.toContain('#error');
  }
});

test('after signing out the Back button shows nothing private', async ({ page }) => {
  const { email } = await signInByForm(page, 'auditor');
  await page.goto('/dashboard/account');
  await expect(main(page)).toContainText(email);
  await page.goto('/auth/sign-out');
  await main(page).getByRole('button', { name: 'Sign out' }).click();
  // The address of the question begins alike: leaving it before the answer would take the wish back.
  await expect(page).not.toHaveURL(/\/auth\/sign-out/);
  for (let back = 0; back < 2; back += 1) {
    await page.goBack();
    await expect(page.locator('body')).not.toContainText(email);
  }
});

test('the browser is given no token, and no page of many refuses a script of ours @scripts', async ({ page }) => {
  // A violation is also a console error, which the page must not have; this counts those that stay silent.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { violations: seen });
    document.addEventListener('securitypolicyviolation', (event) => seen.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await signIn(page, 'admin');
  const nonces = new Set<string>();
  for (const path of [
    '/',
    '/auth',
    '/dashboard',
    '/dashboard/workflows',
    '/dashboard/audit',
    '/dashboard/analytics',
    '/dashboard/account',
  ]) {
    const response = await page.goto(path);
    await scriptsArrive(page);
    await pageRests(page);
    nonces.add(/'nonce-([^']+)'/.exec(response?.headers()['content-security-policy'] ?? '')?.[1] ?? '');
    expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations), path).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    expect(kept).not.toMatch(/eyJ|sb-quorate|base64-|refresh_token/);
    expect(await page.content()).not.toMatch(/eyJ[\w-]+\.eyJ/);
  }
  expect(nonces.size).toBe(7);
  expect(nonces).not.toContain('');
});

test('a forgotten password is replaced through the mail, and the account goes at its owner’s wish', async ({ page }) => {
  const email = `forgetful-${scriptsOf().replace(' ', '-')}@example.com`;
  const useLink = async (subject: string) => {
    const { text } = await newestMail(email, subject);
    await page.goto(/\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '/auth/confirm');
  };
  await page.goto('/auth?mode=sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('soon forgotten words');
  await main(page).getByRole('button', { name: 'Sign Up' }).click();
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Check your email');
  await useLink('Confirm');
  await main(page).getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/reset-password');
  await page.getByLabel('E-mail').fill(email);
  await main(page).getByRole('button', { name: 'Send reset link' }).click();
  await expect(main(page).getByText('Reset Email Sent!')).toBeVisible();
  await useLink('password');
  await page.getByLabel('New password').fill('words to remember well');
  await main(page).getByRole('button', { name: 'Save the password' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Password changed.').first()).toBeVisible();

  await page.goto('/dashboard/account/data');
  await main(page).getByRole('link', { name: 'Delete my account' }).click();
  await page.getByLabel('Type your e-mail address to confirm').fill(email);
  await page.getByLabel('Current password').fill('words to remember well');
  await main(page).getByRole('button', { name: 'Delete account permanently' }).click();
  await expect(page.getByText('Your account was deleted.').first()).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
});
