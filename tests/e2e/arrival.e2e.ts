import { demoAccount, expect, expectAccessible, openMailbox, test } from '#tests/e2e/support/journey.ts';
import { findLink } from '#tests/e2e/support/waiting-run.ts';

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

test('a person who reads German finds the demo in German: its list, a run, a form with its sample, and what waits', async ({ page }) => {
  const approver = demoAccount('approver');
  await page.goto('/auth?lng=de');
  await page.locator('input[name="email"]').fill(approver.email);
  await page.locator('input[name="password"]').fill(approver.password);
  await page.locator('main').getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const main = page.locator('main');
  await page.goto('/dashboard/workflows');
  for (const name of ['Zahlungsprüfung', 'Entlassbrief', 'Antrag auf Akteneinsicht'])
    await expect(main.getByText(name, { exact: true }).first()).toBeVisible();
  const records = await findLink(page, '/dashboard/workflows?q=Akteneinsicht', '/dashboard/workflows');
  await page.goto(`${records}/run?sample=1`);
  await expect(page.getByLabel('Antrag', { exact: true })).toHaveValue(/Protokoll der Planungssitzung/);
  await page.goto('/dashboard/policies');
  await expect(main.getByText('Hohes Risiko braucht eine Freigabe').first()).toBeVisible();
  await page.goto('/dashboard/runs?status=completed');
  await main.getByRole('row').filter({ hasText: 'Entlassbrief' }).getByRole('link').first().click();
  await expect(main.getByText('Angaben zur behandelten Person maskieren').first()).toBeVisible();
  await expect(main.getByText(/Entlassbrief für Jane Example/).first()).toBeAttached();
  // The input of the run is shown as it was given.
  await page.getByRole('link', { name: 'Gespeicherten Wortlaut anzeigen' }).click();
  await expect(main.getByText(/Discharge letter for Jane Example/).first()).toBeAttached();
  await expect(main.getByText('Mask what identifies the patient').first()).toBeVisible();
  await page.getByRole('link', { name: 'In meiner Sprache anzeigen' }).click();
  await expect(main.getByText('Angaben zur behandelten Person maskieren').first()).toBeVisible();
  await page.goto('/dashboard/approvals');
  await main
    .getByRole('link', { name: /^Die geschwärzte Akte herausgeben/ })
    .first()
    .click();
  await expect(main.getByText('Darf diese Akte so herausgegeben werden, wie sie hier steht?').first()).toBeVisible();
  await expect(main.getByText('Tage seit dem Antrag').first()).toBeVisible();
  await page.goto('/dashboard/search?q=Zahlungspr');
  await expect(main.getByText('Zahlungsprüfung').first()).toBeVisible();
});

test('the mailbox opens on this machine', async ({ page }) => {
  await openMailbox(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Mailbox' })).toBeVisible();
  await expectAccessible(page);
});
