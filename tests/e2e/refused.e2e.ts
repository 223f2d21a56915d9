import type { Page } from '@playwright/test';
import type { DataRouter } from 'react-router';
import { expect, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

/** Nobody has this address: what is wrong is the pair, which the form itself cannot know. */
async function failToSignIn(page: Page): Promise<void> {
  await page.goto('/auth');
  if (withScripts()) await scriptsArrive(page);
  await page.getByLabel('E-mail').fill('nobody-at-all@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
}

test('a refused sign-in has the focus on the reason', async ({ page }) => {
  await failToSignIn(page);
  const reason = page.locator('main').getByRole('alert').filter({ hasText: 'Sign In Failed' });
  await expect(reason).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(reason.getByRole('link')).toBeFocused();
});

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 1280, height: 480 },
  { width: 360, height: 640 },
])
  test(`no toast covers what one needs after a refused sign-in, ${viewport.width} × ${viewport.height} @scripts`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await failToSignIn(page);
    const toast = page.getByRole('region', { name: 'Notifications' }).getByText('Sign In Failed');
    await expect(toast).toBeVisible();
    const link = page.getByRole('link', { name: 'Forgot password?' });
    await link.scrollIntoViewIfNeeded();
    const covered = await link.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(covered).toBe(false);
  });

/** What a line that is down or a server that is away does to the next requests for data, `times` of them. */
async function failData(page: Page, times: number, how: 'line' | 'server'): Promise<void> {
  let left = times;
  await page.route(/\.data(\?|$)/, async (route) => {
    if (left-- <= 0) return route.fallback();
    if (how === 'line') return route.abort('failed');
    return route.fulfill({ status: 502, contentType: 'text/plain', body: 'Bad Gateway' });
  });
}

// The browser says itself that the line is down; the test looks at what the page makes of it.
const noisy = test.extend({ page: async ({ browser }, use) => use(await (await browser.newContext()).newPage()) });

for (const how of ['line', 'server'] as const)
  noisy(`a request for data that fails leaves the shell standing, and Try Again brings the page: ${how} @scripts`, async ({ page }) => {
    const reports: string[] = [];
    page.on('console', (message) => {
      if (message.text().startsWith('Error report')) reports.push(message.text());
    });
    await page.goto(process.env.QUORATE_E2E_ORIGIN ?? '');
    await signIn(page, 'auditor');
    await page.goto('/dashboard?lng=ar');
    await scriptsArrive(page);
    await failData(page, 2, how);
    const sidebar = page.locator('#areas');
    await sidebar.locator('a[href="/dashboard/workflows"]').click();
    const failed = page.locator('main').getByRole('heading', { level: 1, name: 'حدث خطأ ما' });
    await expect(failed).toBeVisible();
    await expect(sidebar).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await page.getByRole('button', { name: 'الإبلاغ عن خلل' }).click();
    await expect.poll(() => reports).toHaveLength(1);
    const report = JSON.parse(reports[0]?.slice('Error report'.length) ?? '');
    expect(report).toMatchObject({ message: expect.stringMatching(/\w/), url: page.url(), userAgent: expect.stringContaining('Chrome') });
    expect(report.message).not.toContain('[object');
    expect(Date.parse(report.timestamp)).not.toBeNaN();
    await page.unroute(/\.data(\?|$)/);
    await page.locator('main').getByRole('button').first().click();
    await expect(failed).toHaveCount(0);
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\/workflows/);
  });

test('times that say how long ago go on while the page stands @scripts', async ({ page }) => {
  await page.clock.install();
  await signIn(page, 'auditor');
  await page.goto('/dashboard/audit');
  await scriptsArrive(page);
  const newest = page.locator('main time').first();
  await expect(newest).toHaveText(/second|now|minute/);
  const before = await newest.textContent();
  const exact = await newest.getAttribute('title');
  // Within the hour of the session's token, which would be asked for again, and the page's moment with it.
  await page.clock.fastForward('20:00');
  await expect(newest).not.toHaveText(before ?? '');
  await expect(newest).toContainText(/2\d minutes ago/);
  await expect(newest).toHaveAttribute('title', exact ?? '');
});

/** Has the page read its data again, as it does for each live event and when the session is renewed. */
async function rereadData(page: Page): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as { __reactRouterDataRouter: DataRouter }).__reactRouterDataRouter.revalidate());
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

test('what a form was answered stays when the data of the page are read again @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');

  await test.step('a refusal, with what was typed', async () => {
    await page.goto('/dashboard/workflows/new');
    await scriptsArrive(page);
    await main.getByLabel('Description').fill('What I had already written');
    await main.getByRole('button', { name: 'Create workflow' }).click();
    const summary = main.getByRole('alert').filter({ hasText: 'There is a problem' });
    await expect(summary).toBeFocused();
    await rereadData(page);
    await expect(summary).toBeFocused();
    await expect(main.getByLabel('Description')).toHaveValue('What I had already written');
  });

  await test.step('a key that is shown this once', async () => {
    await page.goto('/dashboard/account/api-keys/new');
    await scriptsArrive(page);
    await main.getByLabel('Name').fill('Read again');
    await main.getByRole('button', { name: 'Create an API key' }).click();
    const shown = main.getByRole('textbox', { name: 'The key' });
    const key = await shown.inputValue();
    await rereadData(page);
    await expect(shown).toHaveValue(key);
  });
});
