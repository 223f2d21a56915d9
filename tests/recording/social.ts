/**
 * Draws the picture that others show beside a link to a public page, one a page, into public/social: `npm run build`, then
 * `node tests/recording/social.ts`. Mark, title and description are taken from the running product, in its own faces and colours.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { PUBLIC_PAGES, socialPicture } from '#app/domain/web/public-pages.ts';
import { provideChromium } from '#tests/support/chromium.ts';
import { startRunningServer } from '#tests/support/running-server.ts';

const SIZE = { width: 1200, height: 630 };
const folder = join(import.meta.dirname, '..', '..', 'public');
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Replaces the page by its card. Runs in the browser. */
function drawCard(): void {
  const mark = document.querySelector('header svg')?.outerHTML ?? '';
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? '';
  const title = text('h1');
  const lead = document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '';
  const card = document.createElement('div');
  card.style.cssText =
    'position:fixed;inset:0;display:flex;flex-direction:column;justify-content:space-between;padding:72px 80px;background:var(--paper);color:var(--ink)';
  card.innerHTML = `
    <div style="display:flex;align-items:center;gap:20px;font-size:36px;font-weight:600;letter-spacing:-0.02em">
      <span data-mark="">${mark}</span><span>Quorate</span></div>
    <div style="display:grid;gap:28px;max-width:980px">
      <p data-title="" style="font-size:68px;line-height:1.12;font-weight:600;letter-spacing:-0.025em"></p>
      <p data-lead="" style="font-size:29px;line-height:1.42;color:var(--muted);display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden"></p>
    </div>
    <div style="height:6px;width:120px;background:var(--accent)"></div>`;
  document.body.replaceChildren(card);
  const put = (selector: string, content: string) => {
    const element = card.querySelector(selector);
    if (element !== null) element.textContent = content;
  };
  put('[data-title]', title);
  put('[data-lead]', lead);
  const drawn = card.querySelector('svg');
  if (drawn !== null) drawn.style.cssText = 'width:64px;height:64px;display:block';
}

const server = await startRunningServer({ settings: { QUORATE_DEMO: 'off' } });
const browser = await chromium.launch({ executablePath: provideChromium(say), args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: 'light', locale: 'en', javaScriptEnabled: false });
  const page = await context.newPage();
  for (const path of Object.keys(PUBLIC_PAGES)) {
    await page.goto(`${server.origin}${path}`, { waitUntil: 'load' });
    await page.evaluate(drawCard);
    await page.evaluate(() => document.fonts.ready);
    const file = join(folder, socialPicture(path));
    await mkdir(dirname(file), { recursive: true });
    const png = await page.screenshot({ animations: 'disabled' });
    await writeFile(file, png);
    say(`${socialPicture(path)} ${Math.round(png.length / 1024)} KB`);
  }
} finally {
  await browser.close();
  await server.remove();
}
