import type { Page } from '@playwright/test';
import { expect, expectAccessible, scriptsArrive, test, withScripts } from '#tests/e2e/support/journey.ts';

const main = (page: Page) => page.locator('main');
const carousel = (page: Page, name: string) => page.locator(`section[aria-roledescription="carousel"][aria-label="${name}"]`);

test('the start page tells its story in order, and its anchors lead there', async ({ page }) => {
  await page.goto('/');
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Agents that act under your rules, and can prove it');
  const sections = await main(page)
    .locator('section[id]')
    .evaluateAll((found) => found.map(({ id }) => id));
  expect(sections).toEqual(['features', 'challenges', 'demo', 'about', 'integrations', 'interactive-demo', 'testimonials', 'pricing']);
  await expect(main(page).getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', /^\/auth/);
  await expect(main(page).getByRole('link', { name: 'Watch Demo' })).toHaveAttribute('href', '/#demo');
  for (const claim of [
    'SOC 2 Type II',
    'GDPR/HIPAA/SOX with 50+ regulations',
    '10k+ tasks per minute',
    'P95 latency under 500 ms',
    '500K+ users',
  ])
    await expect(main(page).getByText(claim, { exact: true }).first()).toBeAttached();
  for (const price of ['$99', '$299', '10,000 executions monthly', 'Dedicated success manager'])
    await expect(page.locator('#pricing').getByText(price, { exact: true })).toBeAttached();
  await page.locator('header').getByRole('link', { name: 'Pricing' }).click();
  await expect(page).toHaveURL(/\/#pricing$/);
  await expect(page.locator('#pricing').getByRole('heading', { level: 2 })).toBeInViewport();
});

test('on a phone the anchors are in a menu, in the language of the reader', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/?lng=ar');
  await page.locator('header summary').last().click();
  await page.locator('header details').last().getByRole('link', { name: 'الميزات' }).click();
  await expect(page.locator('#features').getByRole('heading', { level: 2 })).toBeInViewport();
});

test('a carousel without scripts is a list that scrolls, with them one that can be stopped', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  const integrations = carousel(page, 'Integrations');
  await expect(
    integrations.getByRole('group', { includeHidden: true }).filter({ has: page.getByRole('heading', { level: 3, includeHidden: true }) }),
  ).toHaveCount(5);
  if (!withScripts()) return expect(integrations.getByRole('button')).toHaveCount(0);
  await scriptsArrive(page);
  const current = async () => Number(/\d+/.exec((await integrations.locator('[aria-current=true]').getAttribute('aria-label')) ?? '')?.[0]);
  await expect(integrations.getByRole('button').first()).toHaveAccessibleName('Stop the automatic change of slides');
  await page.clock.pauseAt(Date.now() + 600_000);
  const first = await current();
  await page.clock.fastForward(5_000);
  const second = (first % 5) + 1;
  await expect.poll(current).toBe(second);
  // Held while the focus is in it, moved by hand around the end, and then stopped for good.
  await integrations.getByRole('button', { name: 'Next slide' }).focus();
  await page.clock.fastForward(6_000);
  expect(await current()).toBe(second);
  for (let press = 0; press < 4; press++) await page.keyboard.press('Enter');
  const last = ((second + 3) % 5) + 1;
  await expect.poll(current).toBe(last);
  await expect(integrations.getByRole('button').first()).toHaveAccessibleName('Start the automatic change of slides');
  await page.locator('header').getByRole('link', { name: 'Features' }).focus();
  await page.clock.fastForward(11_000);
  expect(await current()).toBe(last);
});

test('nothing moves by itself where less motion is wanted @scripts', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await expect(carousel(page, 'Testimonials').getByRole('button').first()).toHaveAccessibleName('Start the automatic change of slides');
  await expect(page.getByRole('button', { name: 'Play the recording' })).toBeVisible();
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  await page.mouse.wheel(0, 400);
  await expect(page.locator('[data-waiting]')).toHaveCount(0);
});

test('the recording plays and can be stopped; where it cannot be had, a panel stands in @scripts', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Pause the recording' }).click();
  await expect(page.getByRole('button', { name: 'Play the recording' })).toBeVisible();
  await page.route('**/recording/*.webm', (route) => route.fulfill({ status: 404 }));
  await page.goto('/?lng=en');
  await expect(page.getByText('Interactive Demo Available')).toBeVisible();
  await expect(page.getByText('Click to explore our hybrid protocol in action')).toBeVisible();
  await expectAccessible(page);
});

test('the product stands in the page as it is, and says that its values are made up', async ({ page }) => {
  await page.goto('/');
  const example = (words: string) => main(page).locator('figure').filter({ hasText: 'Example' }).filter({ hasText: words });
  await expect(example('Pay €48,200 to Nordlicht Logistik GmbH').first()).toBeVisible();
  await expect(example('Pay €48,200').getByRole('button')).toHaveCount(0);
  await expect(main(page).getByRole('group', { name: 'Flow of an example payment' })).toBeAttached();
  await expect(page.locator('#about').getByText('An example payment over time').first()).toBeAttached();
  await expect(page.locator('#challenges').getByRole('img', { name: /Merkle|proof|entry/i })).toBeAttached();
  await page.goto('/?lng=de');
  await expect(main(page).getByRole('heading', { name: /48\.200.€ an Nordlicht Logistik GmbH zahlen/ })).toBeVisible();
});

test('calls of programs stand there to copy, at the addresses of this instance', async ({ page, context, baseURL }) => {
  await page.goto('/');
  const samples = page
    .locator('#demo')
    .getByRole('listitem')
    .filter({ has: page.locator('pre') });
  await expect(samples).toHaveCount(3);
  for (const path of ['/mcp/', '/a2a/', '/api/v1/runs']) await expect(samples.filter({ hasText: `${baseURL}${path}` })).toHaveCount(1);
  const button = samples.first().getByRole('button', { name: 'Copy: MCP client' });
  if (!withScripts()) return expect(button).toBeHidden();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await scriptsArrive(page);
  await button.click();
  await expect(page.locator('[data-announcer]')).toContainText('Copied: MCP client');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await samples.first().locator('code').textContent());
});

test('what is below comes into sight as one scrolls, and only then @scripts', async ({ page }) => {
  await page.goto('/');
  await scriptsArrive(page);
  await page.mouse.wheel(0, 200);
  await expect(page.locator('#pricing')).toHaveAttribute('data-waiting', '');
  await page.locator('#pricing').scrollIntoViewIfNeeded();
  await expect(page.locator('#pricing')).not.toHaveAttribute('data-waiting', '');
});

test('a section that fails in the browser leaves the others standing @scripts', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const find = Element.prototype.querySelector;
    Element.prototype.querySelector = function (this: Element, selectors: string) {
      if (selectors === '[data-carousel-track]' && this.ariaLabel === 'Testimonials') throw new Error('made to fail');
      return find.call(this, selectors);
    } as typeof find;
  });
  await page.goto('/');
  const failed = main(page).locator('section').filter({ hasText: 'This section is temporarily unavailable.' });
  await expect(failed).toHaveCount(1);
  await expect(failed.getByRole('heading', { name: 'Testimonials' })).toBeVisible();
  await expect(carousel(page, 'Integrations').getByRole('button', { name: 'Next slide' })).toBeVisible();
  await expect(page.locator('#pricing').getByRole('heading', { level: 2 })).toBeVisible();
  await context.close();
});

test('the newsletter takes an address, says what is wrong with one, and thanks', async ({ page }, { project }) => {
  await page.goto('/');
  if (withScripts()) await scriptsArrive(page);
  const form = page.locator('footer form').first();
  await form.getByLabel('E-mail address').fill('no address');
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('alert')).toHaveText('Enter an e-mail address like name@example.com');
  const field = page.getByRole('textbox', { name: 'E-mail address' }).first();
  await field.fill(`reader-${project.name.replaceAll(' ', '-')}@example.com`);
  await page.getByRole('button', { name: 'Subscribe' }).first().click();
  await expect(page.getByText('Subscribed!').first()).toBeVisible();
  if (!withScripts()) return expect(page).toHaveURL(/\/newsletter$/);
  await expect(field).toHaveValue('');
  await expect(page.getByText('Subscribed!')).toBeHidden();
});

test('the newsletter stands up to machines @scripts', async ({ page }) => {
  const post = (form: Record<string, string>) => page.request.post('/newsletter', { form, maxRedirects: 0 });
  expect((await post({ email: `${'a'.repeat(10_000)}@example.com` })).status()).toBe(400);
  const trapped = await post({ email: 'machine@example.com', website: 'https://example.com' });
  const first = await post({ email: 'many@example.com' });
  // A machine that filled in the hidden field learns nothing from the answer.
  expect([trapped.status(), trapped.headers().location]).toEqual([first.status(), first.headers().location]);
  for (let again = 0; again < 4; again++) expect((await post({ email: 'Many@example.com' })).status()).toBe(303);
  const refused = await post({ email: 'many@example.com' });
  expect(refused.status()).toBe(429);
  expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(0);
});

test('the privacy center is honoured by the server', async ({ page, context }) => {
  const keptUntil = async () => (await context.cookies()).find(({ name }) => name === 'lng')?.expires;
  await page.goto('/?lng=en');
  expect(await keptUntil()).toBeGreaterThan(0);
  const gdpr = page.getByLabel(/^GDPR:/);
  await gdpr.check();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect(page.getByText('Your choices are in force.').first()).toBeVisible();
  await expect(gdpr).toBeChecked();
  expect(await keptUntil(), 'what was chosen before').toBe(-1);
  await page.goto('/?lng=fr');
  expect(await keptUntil()).toBe(-1);
  await context.setExtraHTTPHeaders({ 'Sec-GPC': '1' });
  await page.goto('/?lng=en');
  await expect(page.getByLabel(/^CCPA:/)).toBeChecked();
  await expect(page.getByLabel(/^CCPA:/)).toBeDisabled();
});

test('a placeholder has the size that was asked for, within bounds @scripts', async ({ page }) => {
  const image = await page.request.get('/api/placeholder/64/48');
  expect(image.headers()['content-type']).toContain('image/svg+xml');
  expect(await image.text()).toContain('width="64" height="48"');
  for (const size of ['0/64', '64/2001', '-1/64', '64/a', '1e3/64'])
    expect((await page.request.get(`/api/placeholder/${size}`)).status()).toBe(400);
});
