import type { Page } from '@playwright/test';
import { demoAccount, expect, openDashboard, signIn, test } from '#tests/e2e/support/journey.ts';
import { tabTo } from '#tests/e2e/support/keyboard.ts';
import { findLink, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

/** The first thing in the main part with this role and name. */
const inMain = (page: Page, role: 'link' | 'button' | 'textbox', name: RegExp | string) =>
  page.locator('main').getByRole(role, { name }).first();

test('an approval is decided with the keyboard alone', async ({ page, secondPage }) => {
  await signIn(secondPage, 'builder');
  const { approval } = await startWaitingRun(secondPage);
  const { email, password } = demoAccount('approver');
  await page.goto('/auth');
  await tabTo(page, inMain(page, 'textbox', 'E-mail'));
  await page.keyboard.type(email);
  await tabTo(page, inMain(page, 'textbox', 'Password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(approval);
  await tabTo(page, inMain(page, 'textbox', 'Reason'));
  await page.keyboard.type('Nothing in it names a person.');
  const asksPassword = page.getByLabel('Your password');
  if (await asksPassword.isVisible()) {
    await tabTo(page, inMain(page, 'textbox', 'Your password'));
    await page.keyboard.type(password);
  }
  await tabTo(page, inMain(page, 'button', 'Approve'));
  // What has the focus is seen: nothing that stays in place covers it.
  const covered = await page.evaluate(() => {
    const { x, y, width, height } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return !(top !== null && document.activeElement?.contains(top));
  });
  expect(covered).toBe(false);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Approved. The run continues.').first()).toBeVisible();
  await page.goto(approval);
  await expect(page.locator('main').getByText('Nothing in it names a person.')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('a run is started by touch alone', async ({ page }) => {
    await openDashboard(page, 'builder');
    await page.locator('summary', { hasText: 'Menu' }).tap();
    await page.getByRole('link', { name: 'Workflows', exact: true }).filter({ visible: true }).tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Workflows' })).toBeVisible();
    await page.goto(await findLink(page, '/dashboard/workflows?q=Payment%20screening', '/dashboard/workflows'));
    await page.locator('main').getByRole('link', { name: 'Run', exact: true }).tap();
    await expect(page.getByRole('button', { name: 'Start run' })).toBeVisible();
    // Each thing that is tapped is at least 24 px in both directions, or a link within a line of text.
    const small = await page
      .locator('main')
      .locator('button:not([aria-hidden]):visible, input:not([type=hidden]):visible, select:visible, summary:visible')
      .evaluateAll((all) =>
        all
          .map((element) => ({ box: (element.closest('label') ?? element).getBoundingClientRect(), text: element.textContent }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ text }) => text),
      );
    expect(small).toEqual([]);
  });
});
