import type { Page } from '@playwright/test';
import { expect, expectAccessible, openDashboard, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { heardWhile } from '#tests/e2e/support/screen-reader.ts';

const document = (page: Page) => page.locator('html');
const setting = (page: Page, name: string) => page.getByRole('switch', { name });

/** A choice shows, and is kept here, at once; the account has it when its form has been answered. */
async function stored(page: Page, choose: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await choose();
  await answer;
}

/** The opening tag of the document as the server sends it, before any script. */
async function firstByte(page: Page): Promise<string> {
  const html = await (await page.request.get('/dashboard/appearance')).text();
  return /<html[^>]*>/.exec(html)?.[0] ?? '';
}

test('choices take effect at once, stand in the first byte and follow the account', async ({ page, secondPage }) => {
  await signIn(page, 'auditor');
  await page.goto('/dashboard/appearance');
  await stored(page, () => page.getByRole('button', { name: 'Compact' }).click());
  await expect(document(page)).toHaveAttribute('data-density', 'compact');
  await stored(page, () => page.getByRole('button', { name: 'Dark' }).click());
  await expect(document(page)).toHaveAttribute('data-theme', 'dark');
  await stored(page, () => setting(page, 'High contrast').click());
  await expect(setting(page, 'High contrast')).toBeChecked();
  await stored(page, () => setting(page, 'Larger text').click());
  await expect(document(page)).toHaveClass(/high-contrast larger-text keyboard-navigation/);
  await expect(document(page)).toHaveCSS('font-size', '18px');
  await expect.poll(() => firstByte(page)).toContain('class="high-contrast larger-text keyboard-navigation"');
  expect(await firstByte(page)).toContain('data-theme="dark" data-density="compact"');
  await expectAccessible(page);

  await openDashboard(secondPage, 'auditor');
  await expect(document(secondPage)).toHaveClass(/high-contrast larger-text/);
  await expect(document(secondPage)).toHaveAttribute('data-density', 'compact');

  await setting(page, 'High contrast').click();
  await setting(page, 'Larger text').click();
  await expect(document(page)).toHaveClass('keyboard-navigation');
  await page.getByRole('button', { name: 'Comfortable' }).click();
  await page.getByRole('button', { name: 'System' }).click();
  await expect(document(page)).toHaveAttribute('data-theme', 'system');
});

test('what shows is kept, though the page is loaded anew before the server has answered @scripts', async ({ page }) => {
  await signIn(page, 'auditor');
  await page.goto('/dashboard/appearance');
  await scriptsArrive(page);
  // The server hears of none of it.
  await page.route('**/preferences/**', () => undefined);
  await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
  await expect(page.locator('aside')).toHaveAttribute('data-state', 'collapsed');
  await page.getByRole('button', { name: 'Compact' }).click();
  await expect(document(page)).toHaveAttribute('data-density', 'compact');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(document(page)).toHaveAttribute('data-theme', 'dark');
  await setting(page, 'Larger text').click();
  await expect(document(page)).toHaveClass(/larger-text/);
  expect(await firstByte(page)).toMatch(/data-theme="dark" data-density="compact" class="larger-text/);
  await page.reload();
  await expect(page.locator('aside')).toHaveAttribute('data-state', 'collapsed');
  await page.unroute('**/preferences/**');
  await scriptsArrive(page);
  await setting(page, 'Larger text').click();
  await page.getByRole('button', { name: 'Comfortable' }).click();
  await page.getByRole('button', { name: 'System' }).click();
  await expect(document(page)).toHaveAttribute('data-theme', 'system');
});

test('the operating system asks for contrast and less motion, and is heard', async ({ browser }) => {
  const context = await browser.newContext({ contrast: 'more', reducedMotion: 'reduce', javaScriptEnabled: withScripts() });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('a').first()).toHaveCSS('transition-property', 'none');
  if (withScripts()) await expect(document(page)).toHaveClass(/high-contrast reduce-motion/);
  await context.close();
});

test('what is stored in the browser counts at the start and is mirrored to the server @scripts', async ({ page }) => {
  await page.goto('/');
  await scriptsArrive(page);
  await page.evaluate(() =>
    localStorage.setItem('accessibility-settings', JSON.stringify({ largerText: true, keyboardNavigation: false })),
  );
  await page.reload();
  await expect(document(page)).toHaveClass('larger-text');
  await expect.poll(async () => /<html[^>]*>/.exec(await (await page.request.get('/')).text())?.[0]).toContain('class="larger-text"');
});

test('the result of a form stands in a toast that F8 reaches, and is said once @scripts', async ({ page }) => {
  await openDashboard(page, 'auditor');
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveCount(0);
  await page.goto('/dashboard/account/profile');
  await scriptsArrive(page);
  const toasts = page.getByRole('region', { name: 'Notifications' });
  const said = /^(polite|assertive): .*Name saved\./;
  const heard = await heardWhile(page, async (untilHeard) => {
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(toasts.getByText('Name saved.')).toBeVisible();
    await untilHeard(said);
    // It is spoken by an element of its own, which goes after a second.
    await expect(page.getByText('Name saved.')).toHaveCount(1);
  });
  expect(heard.filter((phrase) => said.test(phrase))).toHaveLength(1);
  await page.keyboard.press('F8');
  await expect(toasts.getByRole('list')).toBeFocused();
  await expectAccessible(page);
  await toasts.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Name saved.')).toHaveCount(0);
});

test('a navigation is announced for a second @scripts', async ({ page }) => {
  await openDashboard(page, 'auditor');
  // What stands for a second can come and go between two looks: all that is said is written down.
  const announcer = page.locator('[data-announcer]');
  const said = await announcer.evaluateHandle((region) => {
    const texts: (string | null)[] = [];
    const write = (records: MutationRecord[]) => {
      for (const { addedNodes } of records) texts.push(...[...addedNodes].map((node) => node.textContent));
    };
    new MutationObserver(write).observe(region, { childList: true, subtree: true, characterData: true });
    return texts;
  });
  await page.locator('aside').getByRole('link', { name: 'Policies' }).click();
  await expect.poll(() => said.jsonValue()).toContain('Policies · Quorate');
  await expect(announcer).toHaveText('');
});

test('the language changes in place, and what was typed stays @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  await scriptsArrive(page);
  await page.getByLabel('Description').fill('What I had already written');
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/assets/texts/ar/*', async (route) => {
    await late;
    await route.continue();
  });
  await page.locator('summary', { hasText: 'Language' }).click();
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect(page.getByText('جارٍ تحميل الترجمات...')).toBeVisible();
  arrive();
  await expect(document(page)).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('مسار عمل جديد');
  await expect(page.locator('textarea').first()).toHaveValue('What I had already written');
  await expect(page.getByText('جارٍ تحميل الترجمات...')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('ar');
  await page.reload();
  await expect(document(page)).toHaveAttribute('lang', 'ar');
});

test('who has made no choice on the server is read to in the language of the browser @scripts', async ({ page, context }) => {
  await page.goto('/');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('en');
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'fr'));
  await context.clearCookies();
  await page.reload();
  await expect(document(page)).toHaveAttribute('lang', 'fr');
  await expect(page.getByRole('link', { name: 'Se connecter' }).first()).toBeVisible();
  expect((await context.cookies()).find(({ name }) => name === 'lng')?.value).toBe('fr');
});
