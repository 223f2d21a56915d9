import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, test } from '#tests/e2e/support/journey.ts';

const document = (page: Page) => page.locator('html');

test('the first byte has the language and the direction that the address asks for', async ({ page }) => {
  await page.goto('/?lng=he');
  await expect(document(page)).toHaveAttribute('lang', 'he');
  await expect(document(page)).toHaveAttribute('dir', 'rtl');
  // The choice is kept.
  await page.goto('/');
  await expect(document(page)).toHaveAttribute('lang', 'he');
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

test('a menu that was opened before scripts arrive stays open @scripts', async ({ page }) => {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByText('Language: English').locator('..').click();
  arrive();
  await page.waitForFunction(() => '__reactRouterDataRouter' in window);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(document(page)).toHaveAttribute('lang', 'de');
});

test('an address with nothing behind it says so and leads on', async ({ page }) => {
  const answer = await page.goto('/nothing/here');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('the app area has a sidebar that collapses and stays so', async ({ page }) => {
  await signIn(page, 'builder');
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
});

test('on a phone the areas are in a drawer, and nothing is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, 'builder');
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
  await signIn(page, 'builder');
  await page.locator('aside').getByRole('link', { name: 'Policies' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(page.locator('aside')).toHaveAttribute('data-state', 'collapsed');
  const menu = page.locator('summary', { hasText: 'Your account' });
  await menu.click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
  await expect(menu).toBeFocused();
});
