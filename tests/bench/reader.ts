import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { provideChromium } from '#tests/support/chromium.ts';

declare global {
  interface Window {
    /** Milliseconds of each interaction, by the browser's own event timing; those under 16 are not told. */
    interactionDurations: number[];
  }
}

/** A browser in which this account is signed in, and whose pages note how long each interaction took. The caller closes it. */
export async function openReader(
  origin: string,
  account: { email: string; password: string },
  width: number,
): Promise<{ browser: Browser; page: Page; session: CDPSession }> {
  const browser = await chromium.launch({ executablePath: provideChromium(() => undefined), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(`${origin}/auth`);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL(/\/dashboard$/);
    await page.addInitScript(() => {
      window.interactionDurations = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
          if (entry.interactionId) window.interactionDurations.push(entry.duration);
      }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    });
    return { browser, page, session: await page.context().newCDPSession(page) };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
