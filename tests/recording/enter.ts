import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { RunningServer } from '#tests/support/running-server.ts';

/** A signed-in page of one person of the demo workspace, in light, its sidebar collapsed. */
export async function enter(
  browser: Browser,
  server: RunningServer,
  role: string,
  options: BrowserContextOptions,
): Promise<{ page: Page; password: string }> {
  const account = (await server.demoAccounts()).find(({ roles }) => roles.includes(role));
  if (account === undefined) throw new Error(`no demo account is ${role}`);
  const context = await browser.newContext({ baseURL: server.origin, locale: 'en', colorScheme: 'light', ...options });
  await context.addCookies([{ name: 'sidebar_state', value: 'collapsed', url: server.origin }]);
  const page = await context.newPage();
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(/\/dashboard$/);
  return { page, password: account.password };
}
