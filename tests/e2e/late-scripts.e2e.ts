import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, pageRests, scriptsArrive, sendRefused, signIn, test } from '#tests/e2e/support/journey.ts';

/** Scripts come when the answer is called, which ends once they have taken the page over. */
async function holdBack(page: Page): Promise<() => Promise<void>> {
  const late = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await late.promise;
    await route.continue();
  });
  return async () => {
    late.resolve();
    await scriptsArrive(page);
  };
}

test('scripts that come after a refusal leave the focus where its reader has taken it @scripts', async ({ page }) => {
  const arrive = await holdBack(page);
  await page.goto('/auth?mode=sign-up', { waitUntil: 'commit' });
  await page.getByLabel('E-mail').fill('ada at bank');
  await page.locator('main').getByRole('button', { name: 'Sign Up' }).click({ noWaitAfter: true });
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await page.getByLabel('E-mail').focus();
  await arrive();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('.example');
  await expect(page.getByLabel('E-mail')).toHaveValue('ada at bank.example');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  // The next answer leads to the summary again.
  await sendRefused(page.locator('main').getByRole('button', { name: 'Sign Up' }));
  await page.getByLabel('E-mail').focus();
  await page.keyboard.press('End');
  await page.keyboard.type('.example');
  await expect(page.getByLabel('E-mail')).toHaveValue('ada at bank.example.example');
  await expect(page.getByLabel('E-mail')).toBeFocused();
});

test('scripts that come after a refused sign-in leave the focus where its reader has taken it @scripts', async ({ page }) => {
  const arrive = await holdBack(page);
  await page.goto('/auth', { waitUntil: 'commit' });
  await page.getByLabel('E-mail').fill('nobody-at-all@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click({ noWaitAfter: true });
  await expect(page.locator('main').getByRole('alert').filter({ hasText: 'Sign In Failed' })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).focus();
  await arrive();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
});

test('a jump within a page that comes to life leaves what the page answered @scripts', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  // Between the moment when the router listens and the one when React has taken the page over.
  await page.addInitScript(() => {
    let router: unknown;
    Object.defineProperty(window, '__reactRouterDataRouter', {
      get: () => router,
      set(value: unknown) {
        router = value;
        if (document.querySelector('[role=alert]') === null) return;
        window.location.hash = 'jumped';
        window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
      },
    });
  });
  const arrive = await holdBack(page);
  await page.goto('/auth?mode=sign-up', { waitUntil: 'commit' });
  await page.getByLabel('E-mail').fill('ada at bank');
  await page.locator('main').getByRole('button', { name: 'Sign Up' }).click({ noWaitAfter: true });
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeVisible();
  await arrive();
  await expect(page).toHaveURL(/#jumped$/);
  await expect(summary).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true');
  expect(errors).toEqual([]);
});

test('scripts that come move nothing that one may be about to press @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard/runs');
  await main.locator('tbody a').first().click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  for (const path of ['/dashboard/runs', new URL(page.url()).pathname]) {
    const arrive = await holdBack(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading');
    const before = await placesOf(page);
    expect(before.length).toBeGreaterThan(3);
    await arrive();
    const after = new Map(await placesOf(page));
    expect(before.map(([name]) => [name, after.get(name)])).toEqual(before);
    await page.unroute('**/assets/*.js');
  }
});

/** A page that is never idle, and whose wait does not end: only its reader can bring its scripts. */
async function keepBusy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** Addresses of the scripts that the page asks for from now on. */
function scriptsOfPage(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

const MOST_BYTES_BEFORE = 60_000;

test('a public page brings no script file before its reader does something @scripts', async ({ page }) => {
  await keepBusy(page);
  const asked = scriptsOfPage(page);
  for (const path of ['/', '/pricing', '/auth']) {
    await page.goto(path);
    await pageRests(page);
    expect(asked, path).toEqual([]);
    const inline = await page.locator('script:not([type="application/ld+json"])').allTextContents();
    expect(gzipSync(inline.join('\n')).length, path).toBeLessThanOrEqual(MOST_BYTES_BEFORE);
  }
});

test('the first key, press or turn of the wheel brings the scripts, and what was done meanwhile stays @scripts', async ({ page }) => {
  await keepBusy(page);
  const asked = scriptsOfPage(page);
  await page.goto('/auth');
  await pageRests(page);
  expect(asked).toEqual([]);
  await page.getByLabel('E-mail').pressSequentially('ada@bank');
  await scriptsArrive(page);
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@bank');
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.keyboard.type('.example');
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@bank.example');
  for (const sign of [() => page.mouse.click(4, 400), () => page.mouse.wheel(0, 100), () => page.keyboard.press('Tab')]) {
    await page.goto('/pricing');
    await sign();
    await scriptsArrive(page);
  }
});

test('where nobody does anything, scripts come once the page has loaded and rests @scripts', async ({ page }) => {
  await page.addInitScript(() => {
    const ask = window.requestIdleCallback.bind(window);
    window.requestIdleCallback = (then, options) => {
      Object.assign(window, { askedWhen: document.readyState });
      return ask(then, options);
    };
  });
  await page.goto('/');
  await scriptsArrive(page);
  expect(await page.evaluate(() => (window as unknown as { askedWhen?: string }).askedWhen)).toBe('complete');
});

/** Where each button that is seen begins, in px from the start of its line, and by its name and number. */
function placesOf(page: Page): Promise<[name: string, left: number][]> {
  return page
    .locator('main')
    .evaluate((main) =>
      [...main.querySelectorAll<HTMLElement>('button, a, input')]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => [
          element.outerHTML.replace(/ (class|id|aria-\w+)="[^"]*"/g, ''),
          Math.round(element.getBoundingClientRect().left),
        ]),
    );
}
