import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, scriptsArrive, scriptsOf, test, withScripts } from '#tests/e2e/support/journey.ts';

const PAGES = ['/', '/pricing', '/auth'];

test('a kept page runs its scripts under its policy, the second time too, and stays where it was drawn', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Of scripts that are taken away on the way the browser tells as well.
    const taken = scriptsOf() === 'blocked' && message.text().includes('ERR_BLOCKED_BY_CLIENT');
    if (['error', 'warning'].includes(message.type()) && !taken) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await watchShifts(page);
  for (const path of PAGES) {
    for (let n = 0; n < 2; n += 1) {
      const response = await page.goto(path);
      if (path !== '/auth') expect(response?.headers()['content-security-policy']).toMatch(/script-src 'self' 'sha256-/);
      if (withScripts()) {
        await scriptsArrive(page);
        await page.evaluate(() => document.fonts.ready);
        expect(await shiftsOf(page), `${path} moves while it loads`).toEqual([]);
      }
    }
  }
  expect(complaints).toEqual([]);
});

test('@scripts a page that comes in pieces shows its bar as a whole, and asks for what is seen before what runs', async ({
  page,
  baseURL,
}) => {
  const slow = await sendInPieces(baseURL ?? '', '</details>');
  await watchShifts(page);
  for (const path of ['/', '/auth?lng=ar']) {
    await page.goto(`${slow.origin}${path}`);
    await scriptsArrive(page);
    expect(await shiftsOf(page), `${path} moves while it comes`).toEqual([]);
    const sent = await (await page.request.get(`${slow.origin}${path}`)).text();
    const read = sent.slice(0, sent.indexOf('<template id="late-scripts">'));
    expect(read.match(/<link rel="([^"]+)"/)?.[1], 'what is fetched first').toBe('stylesheet');
    expect(read, 'scripts are asked for once the page is shown').not.toMatch(/modulepreload|type="module"|<script[^>]* src=/);
  }
  await slow.close();
});

test('@scripts the address to pass on follows the reader from page to page', async ({ page }) => {
  const canonical = () =>
    page.locator('link[rel=canonical]').evaluateAll((links) => links.map((link) => new URL(link.getAttribute('href') ?? '').pathname));
  await page.goto('/');
  await scriptsArrive(page);
  expect(await canonical()).toEqual(['/']);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click();
  await page.waitForURL('**/newsletter');
  await expect.poll(canonical).toEqual(['/newsletter']);
});

test('@scripts who goes back to the start page finds all of it, at the place where they left', async ({ page }) => {
  const place = () => page.locator('#testimonials').evaluate((part) => Math.round(part.getBoundingClientRect().top));
  await page.goto('/');
  await scriptsArrive(page);
  await page.locator('#testimonials').evaluate((part) => part.scrollIntoView());
  await expect.poll(place).toBeLessThan(200);
  const left = await place();
  const chapters = await page.locator('main :is(h2, h3)').allTextContents();
  // Pressed without being scrolled to, as a key does.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).dispatchEvent('click');
  await page.waitForURL('**/newsletter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Newsletter');
  await page.goBack();
  // Not to the pixel: parts that nobody had come near stood there at an estimated height.
  await expect.poll(async () => Math.abs((await place()) - left)).toBeLessThan(200);
  expect(await page.locator('main :is(h2, h3)').allTextContents()).toEqual(chapters);
});

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        shifts.push(
          `${entry.value} ${entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : '')).join(' ')}`,
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function shiftsOf(page: Page): Promise<string[]> {
  // A hundred-thousandth of the window is a part of a pixel, which nobody sees.
  return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts.filter((shift) => Number.parseFloat(shift) > 1e-5));
}

/** The same site, whose pages come in two pieces: up to the first `mark`, and the rest when the first has long been drawn. */
async function sendInPieces(origin: string, mark: string) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? '/', origin), { headers: { accept: request.headers.accept ?? '*/*' } });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, {
      'content-type': type,
      'content-security-policy': answer.headers.get('content-security-policy') ?? '',
    });
    if (!type.includes('html')) return void response.end(body);
    const end = body.indexOf(mark) + mark.length;
    response.write(body.subarray(0, end));
    setTimeout(() => response.end(body.subarray(end)), 500);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('templates are drawn for everyone as the product draws workflows, with the same in words', async ({ page }) => {
  await page.goto('/workflows');
  const flow = page.getByRole('group', { name: 'Flow of Purchase request' });
  await expect(flow.locator('.flow-card[data-kind="approval"]')).toHaveText(/A person decides on the purchase/);
  await expect(flow.getByRole('group', { name: /If the run fails$/ })).toBeVisible();
  await page.getByText('Show as outline').last().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A person decides on the purchase (Approval)' }).last()).toBeVisible();
  await expectAccessible(page);
});
