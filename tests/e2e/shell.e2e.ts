import type { Page } from '@playwright/test';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { serverLog, withoutFunction } from '#tests/e2e/support/broken-day.ts';
import {
  expect,
  expectAccessible,
  openDashboard,
  scriptsArrive,
  signIn,
  signInByForm,
  test,
  withScripts,
} from '#tests/e2e/support/journey.ts';
import { findLink } from '#tests/e2e/support/waiting-run.ts';

const document = (page: Page) => page.locator('html');

test('the first byte has the language and the direction that the address asks for', async ({ page }) => {
  await page.goto('/?lng=he');
  await expect(document(page)).toHaveAttribute('lang', 'he');
  await expect(document(page)).toHaveAttribute('dir', 'rtl');
  // The choice is kept.
  await page.goto('/');
  await expect(document(page)).toHaveAttribute('lang', 'he');
  // A field begins where the language does, and goes the way of what is typed; addresses read from the left in every language.
  await page.goto('/contact');
  const name = page.locator('main input[name="name"]');
  await expect(name).toHaveCSS('direction', 'rtl');
  await expect(name).toHaveCSS('unicode-bidi', 'plaintext');
  await expect(page.locator('main input[name="email"]')).toHaveCSS('direction', 'ltr');
});

test('language and theme are chosen on the page and kept', async ({ page }) => {
  await page.goto('/');
  await page.getByText('Language: English').locator('..').click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(document(page)).toHaveAttribute('lang', 'de');
  await page.goto('/?lng=en');
  await page.locator('summary', { hasText: 'Theme' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(document(page)).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(document(page)).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
});

/** Scripts come when the answer is called, which ends once they have taken the page over. */
async function holdBack(page: Page): Promise<() => Promise<void>> {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await late;
    await route.continue();
  });
  return async () => {
    arrive();
    await scriptsArrive(page);
  };
}

test('a menu that was opened before scripts arrive stays open @scripts', async ({ page }) => {
  const arrive = await holdBack(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByText('Language: English').locator('..').click();
  await arrive();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(document(page)).toHaveAttribute('lang', 'de');
});

test('what was typed before scripts arrive stays, and where @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Payment%20screening', '/dashboard/workflows');
  const arrive = await holdBack(page);
  await page.goto(`${workflow}/edit/json`, { waitUntil: 'commit' });
  const text = page.getByLabel('Document');
  const before = await text.inputValue();
  await text.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Early ');
  await arrive();
  await expect(text).toHaveValue(`Early ${before}`);
  await page.keyboard.type('and late ');
  await expect(text).toHaveValue(`Early and late ${before}`);
});

test('an address with nothing behind it says so and leads on', async ({ page }) => {
  const answer = await page.goto('/nothing/here');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('what the roles of a reader do not allow says whom it is for', async ({ page }) => {
  await signIn(page, 'auditor');
  for (const [path, whom] of [
    ['/dashboard/workflows/new', 'This is for builders.'],
    ['/dashboard/admin/billing', 'This is for admins of the workspace.'],
  ] as const) {
    expect((await page.goto(path))?.status()).toBe(403);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your roles do not allow this');
    await expect(page.getByText(whom)).toBeVisible();
    await expectAccessible(page);
  }
});

test('the app area has a sidebar that collapses and stays so', async ({ page }) => {
  await openDashboard(page, 'builder');
  await expect(page).toHaveTitle('Dashboard · Quorate');
  const sidebar = page.locator('aside');
  await page.getByRole('button', { name: 'Collapse the sidebar' }).click();
  await expect(sidebar).toHaveAttribute('data-state', 'collapsed');
  await page.reload();
  await expect(sidebar).toHaveAttribute('data-state', 'collapsed');
  await expectAccessible(page);
  await sidebar.getByRole('link', { name: 'Workflows' }).click();
  await expect(sidebar.getByRole('link', { name: 'Workflows' })).toHaveAttribute('aria-current', 'page');
  const missing = await page.goto('/dashboard/nothing-here');
  expect(missing?.status()).toBe(404);
  await expect(sidebar.getByRole('link', { name: 'Dashboard', exact: true })).toBeVisible();
  for (const language of LANGUAGES) {
    const answer = await page.request.get(`/dashboard/nothing/here?lng=${language}`);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toMatch(new RegExp(`<html lang="${language}".*<aside`, 's'));
  }
  // Rail or not: what the workspace's state is, and where the figures stand.
  await page.goto('/dashboard?lng=en');
  await sidebar.getByRole('link', { name: 'System Healthy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'System health' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'Queued runs' })).toContainText('OK');
});

test('on a phone the areas are in a drawer, and nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDashboard(page, 'builder');
  await page.locator('summary', { hasText: 'Menu' }).click();
  await page.locator('details').getByRole('link', { name: 'Workflows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Workflows' })).toBeVisible();
  await expect(page.locator('details').getByRole('link', { name: 'Workflows' })).toBeHidden();
  const { width } = (await page.locator('body').boundingBox()) ?? { width: 0 };
  expect(width).toBeLessThanOrEqual(360);
});

test('a refused form says what is wrong and keeps what was typed', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  await page.getByLabel('Description').fill('What I had already written');
  await page.locator('main').getByRole('button').last().click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(page.getByLabel('Description')).toHaveValue('What I had already written');
  await summary.getByRole('link').first().click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
});

test('keys and focus follow the reader @scripts', async ({ page }) => {
  await openDashboard(page, 'builder');
  await page.locator('aside').getByRole('link', { name: 'Policies' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(page.locator('aside')).toHaveAttribute('data-state', 'collapsed');
  // Not while typing: there it is another key's business.
  await page.goto('/dashboard/workflows/new');
  await scriptsArrive(page);
  // In whichever zone one is, the server hears that scripts run: from then on a page need not wait for what is below its fold.
  await expect.poll(async () => (await page.context().cookies()).some(({ name }) => name === 'tz')).toBe(true);
  await page.getByLabel('Description').press('Control+b');
  await expect(page.locator('aside')).toHaveAttribute('data-state', 'collapsed');
  const menu = page.locator('summary', { hasText: 'Your account' });
  await menu.click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
  await expect(menu).toBeFocused();
});

test('the drawer keeps the focus, and a slow screen says which it is @scripts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInByForm(page, 'builder');
  const drawer = page.locator('details').filter({ has: page.locator('summary', { hasText: 'Menu' }) });
  const menu = drawer.locator('summary');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(drawer.getByRole('link', { name: 'Dashboard', exact: true })).toBeFocused();
  expect(await page.locator('main').evaluate((main) => main.closest('[inert]') !== null)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await expect(menu).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(drawer.getByRole('link', { name: 'System Healthy' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(menu).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  expect(await page.locator('main').evaluate((main) => main.closest('[inert]'))).toBeNull();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/dashboard/policies.data*', async (route) => {
    await held;
    await route.continue();
  });
  await menu.click();
  await drawer.getByRole('link', { name: 'Policies' }).click();
  await expect(page.locator('main').getByRole('status').getByText('Loading Policies…')).toBeVisible();
  answer();
  await expect(page.getByRole('heading', { level: 1, name: 'Policies' })).toBeFocused();
  await expect(page.locator('body')).not.toContainText('Loading Policies');
});

test('what fails in one screen leaves the others, and the server’s log knows its reference', async ({ browser }) => {
  // A page of its own: here the browser may complain.
  const context = await browser.newContext();
  const page = await context.newPage();
  const reports: Promise<unknown>[] = [];
  page.on('console', (message) => {
    const [first, report] = message.args();
    if (message.text().startsWith('Error report') && first && report) reports.push(report.jsonValue());
  });
  await signIn(page, 'admin');
  await page.goto('/dashboard/admin/health');
  await withoutFunction('count_other_approvers', async () => {
    await page.getByRole('link', { name: 'Halt the workspace' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible();
    const main = page.locator('main');
    await expect(main).toContainText('An unexpected error occurred. This has been logged and our team will investigate.');
    await expect(page.locator('aside').getByRole('link', { name: 'Workflows' })).toBeVisible();
    await expect(page.locator('header').getByRole('searchbox', { name: 'Search' })).toBeVisible();
    // A page without scripts can be read while it still arrives.
    await expect(main.locator('code')).toHaveText(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const reference = await main.locator('code').innerText();
    expect(
      serverLog()
        .filter((line) => line.level === 'error')
        .map((line) => line.request),
    ).toContain(reference);
    if (!withScripts()) return;
    for (let tries = 0; tries < 3; tries += 1) await main.getByRole('button', { name: 'Try Again' }).click();
    await expect(main.getByRole('button', { name: 'Max Retries Reached' })).toBeDisabled();
    await main.getByRole('button', { name: 'Report Bug' }).click();
    await expect(main).toContainText('The report was written to the console of your browser.');
    expect(Object.keys(JSON.parse(String(await reports[0]))).sort()).toEqual(['message', 'stack', 'timestamp', 'url', 'userAgent']);
  });
  await page.getByRole('link', { name: 'Go Home' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});
