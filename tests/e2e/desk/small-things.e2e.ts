import type { Page } from '@playwright/test';
import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { draftPayments, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

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
  await test.step('how many wait is read in the colours of the system too, which would lay their own behind the figure', async () => {
    await secondPage.emulateMedia({ forcedColors: 'active' });
    const figure = secondPage
      .getByRole('banner')
      .getByRole('link', { name: /^Approvals/ })
      .locator('[aria-hidden]')
      .last();
    expect(await figure.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');
    await secondPage.emulateMedia({ forcedColors: 'none' });
  });
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

test('what stands in a box is copied whole, by pointer and by key, and the page says and shows so @scripts', async ({ page, browser }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const main = page.locator('main');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copies = main.getByRole('button', { name: /^Copy: / });
  await test.step('a sample of a public page', async () => {
    await page.goto('/docs/api');
    await scriptsArrive(page);
    await copies.first().click();
    expect(await copied()).toBe(await main.locator('pre').first().textContent());
    const without = await browser.newPage({ javaScriptEnabled: false });
    await without.goto('/docs/api');
    await expect(without.locator('pre').first()).toBeVisible();
    await expect(without.locator('.copy-button').first()).toBeHidden();
    await without.close();
  });
  await signIn(page, 'auditor');
  await openListening(page, '/dashboard/audit/checkpoints');
  const key = await main.locator('pre').first().textContent();
  const button = copies.first();
  const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 };
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-announcer]')).toContainText(/Copied: /);
  await expect(button).toHaveAttribute('data-copied', '');
  await expect(button).toBeFocused();
  expect(await copied()).toBe(key);
  await test.step('a hash that is shown cut', async () => {
    const hash = main.getByRole('row').locator('code[title]').first();
    await main
      .getByRole('row')
      .getByRole('button', { name: /^Copy: / })
      .first()
      .click();
    await expect.poll(copied).toBe(await hash.getAttribute('title'));
  });
});

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const away = (page: Page) => page.locator('#areas').getByRole('link', { name: 'Audit Logs' });

/** Opens a page once it listens. */
async function openListening(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await scriptsArrive(page);
}

test('a page with unsaved changes asks before it is left @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await draftPayments(page, 'Left unsaved');
  await page.goto('/dashboard/workflows');
  await openListening(page, `${workflow}/edit/settings`);
  const main = page.locator('main');
  const name = main.getByRole('textbox', { name: /^Name/ }).first();
  await name.fill('Another name');
  await away(page).click();
  await expect(question(page)).toBeVisible();
  await expectAccessible(page);
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Another name');
  await away(page).click();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit$/);

  await test.step('what is taken back or sent is not asked for', async () => {
    await openListening(page, `${workflow}/edit/settings`);
    await expect(name).toHaveValue('Left unsaved');
    await name.fill('Another name');
    await name.fill('Left unsaved');
    await away(page).click();
    await expect(page).toHaveURL(/\/dashboard\/audit$/);
    await openListening(page, `${workflow}/edit/settings`);
    await name.fill('Saved');
    await main.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText(/^Settings saved/).first()).toBeVisible();
    await away(page).click();
    await expect(page).toHaveURL(/\/dashboard\/audit$/);
  });

  await test.step('the way back and the end of the tab ask as well', async () => {
    await openListening(page, '/dashboard/workflows');
    await main.locator('a[href="/dashboard/workflows/new"]').first().click();
    // The address changes before the list has gone, whose table has a column of that name.
    await main.getByRole('button', { name: 'Create workflow' }).waitFor();
    await main.getByLabel('Description').fill('Typed');
    await page.evaluate(() => history.back());
    await expect(question(page)).toBeVisible();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page).toHaveURL(/\/workflows\/new$/);
    await expect(main.getByLabel('Description')).toHaveValue('Typed');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
  });
});

test('a form that was refused asks only where something was typed @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  const summary = main.getByRole('alert').filter({ hasText: 'There is a problem' });
  const refuse = async (how: 'by scripts' | 'served', typed: string) => {
    await openListening(page, '/dashboard/workflows/new');
    await main.getByLabel('Description').fill(typed);
    if (how === 'by scripts') await main.getByRole('button', { name: 'Create workflow' }).click();
    else
      await main
        .locator('form')
        .first()
        .evaluate((form: HTMLFormElement) => form.submit());
    await expect(summary).toBeVisible();
    await scriptsArrive(page);
    await away(page).click();
  };
  for (const how of ['by scripts', 'served'] as const) {
    await refuse(how, '');
    await expect(page).toHaveURL(/\/dashboard\/audit$/);
    await refuse(how, 'Typed');
    await expect(question(page)).toBeVisible();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(/\/dashboard\/audit$/);
  }
});

test('a search and a filter are left without a question @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  await openListening(page, '/dashboard/runs');
  await page.locator('main').getByRole('searchbox').first().fill('payment');
  await away(page).click();
  await expect(page).toHaveURL(/\/dashboard\/audit$/);
});

test('over what somebody else has saved meanwhile nothing is saved unseen @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await draftPayments(page, 'Two at once');
  const settings = `${workflow}/edit/settings`;
  await openListening(page, settings);
  const main = page.locator('main');
  const name = main.getByRole('textbox', { name: /^Name/ }).first();
  await name.fill('Mine');
  const revision = main.locator('input[name="revision"]').first();
  const begunOver = await revision.inputValue();
  const other = await page.request.post(settings, { form: { revision: begunOver, name: 'Theirs' }, maxRedirects: 0 });
  expect(other.status()).toBe(303);
  await page.locator('summary', { hasText: 'Language' }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(main.getByText('Theirs').first()).toBeVisible();
  await expect(name).toHaveValue('Mine');
  await expect(revision).toHaveValue(begunOver);
  await main.getByRole('button', { name: 'Einstellungen speichern' }).click();
  await expect(main.getByRole('alert').first()).toContainText(/inzwischen/);
  await expect(name).toHaveValue('Mine');
});
