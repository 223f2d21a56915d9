/**
 * Takes the pictures of the guides from the built product on fresh data, one a guide and language, into public/guides:
 * `npm run build`, then `node tests/recording/guides.ts`. A page without scripts is the same at every look.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { guidePicture, PICTURE } from '#app/features/help/guide-pictures.ts';
import { GUIDES, type GuideId } from '#app/features/help/guides.ts';
import { enter } from '#tests/recording/enter.ts';
import { provideChromium } from '#tests/support/chromium.ts';
import { type RunningServer, startRunningServer } from '#tests/support/running-server.ts';

const QUALITY = 0.5;
const ABOVE_HEADING = 24;
const folder = join(import.meta.dirname, '..', '..', 'public');
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Where a guide's picture is taken, by whom, what is typed before (by the names of the fields), and which of the headings below
 * the title stands at its top (from 0); the title without.
 */
type Scene = { page: Page; path: string; fill?: Record<string, string>; check?: readonly string[]; from?: number };

/** Starts a run of the demo's third workflow, which asks an approver; answers the addresses of both. */
async function startRun(builder: Page, workflow: string): Promise<{ run: string; approval: string }> {
  await builder.goto(`${workflow}/run`);
  for (const [name, value] of Object.entries(REQUEST)) await builder.locator(`[name="${name}"]`).fill(value);
  await builder.getByRole('button', { name: 'Start run' }).click();
  const approval = builder.getByRole('link', { name: 'Open the approval' });
  for (const until = Date.now() + 30_000; !(await approval.isVisible()); ) {
    if (Date.now() > until) throw new Error('the run asked nobody');
    await builder.reload();
  }
  return { run: new URL(builder.url()).pathname, approval: (await approval.getAttribute('href')) ?? '' };
}

const REQUEST = {
  request: 'Minutes of the meeting on the new bridge, please.',
  record: 'Present: Maria Keller, maria.keller@example.org.',
  received: '2026-10-01',
  today: '2026-10-12',
};

async function prepareScenes(browser: Browser, server: RunningServer): Promise<Record<GuideId, Scene>> {
  const options = {
    viewport: { width: PICTURE.width, height: 1_200 },
    deviceScaleFactor: PICTURE.density,
    javaScriptEnabled: false,
  };
  const { page: builder } = await enter(browser, server, 'builder', options);
  const { page: approver, password } = await enter(browser, server, 'approver', options);
  const { page: auditor } = await enter(browser, server, 'auditor', options);
  const { page: admin } = await enter(browser, server, 'admin', options);

  await builder.goto('/dashboard/workflows?q=Records');
  await builder.locator('main').getByRole('link', { name: 'Records request' }).first().click();
  const workflow = new URL(builder.url()).pathname;
  const rejected = await startRun(builder, workflow);
  await approver.goto(rejected.approval);
  await approver.getByLabel('Reason', { exact: true }).fill('The second page names a witness.');
  const again = approver.getByLabel('Your password');
  if (await again.isVisible()) await again.fill(password);
  await approver.getByRole('button', { name: 'Reject', exact: true }).click();
  await approver.locator('main').getByText('Rejected.').first().waitFor();
  const waiting = await startRun(builder, workflow);

  await builder.goto('/dashboard/plugins');
  const tools = await builder.locator('main').getByRole('link', { name: 'Quorate tools' }).getAttribute('href');
  await admin.goto('/dashboard/policies');
  const policy = await admin.locator('main tbody a').first().getAttribute('href');
  await auditor.goto('/dashboard/audit');
  const entry = await auditor.locator('main tbody a[href*="/dashboard/audit/"]').first().getAttribute('href');
  return {
    connectTool: { page: admin, path: tools ?? '', from: 3 },
    writeWorkflow: { page: builder, path: `${workflow}/edit`, from: 1 },
    startRun: { page: builder, path: `${workflow}/run`, fill: REQUEST },
    decideApproval: { page: approver, path: waiting.approval, from: 0 },
    understandFailure: { page: builder, path: rejected.run },
    writePolicy: { page: admin, path: `${policy}/edit`, from: 0 },
    proveChange: { page: auditor, path: entry ?? '', from: 2 },
    inviteMember: { page: admin, path: '/dashboard/admin/members/invite', fill: { email: 'maria.keller@example.org' }, check: ['builder'] },
    haltWorkspace: { page: admin, path: '/dashboard/admin/halt', fill: { reason: 'The sanctions list is out of date.' }, from: 0 },
    useApiKey: { page: builder, path: '/dashboard/account/api-keys/new', fill: { name: 'Archive' }, check: ['runs:read', 'runs:start'] },
  };
}

/** What the page is about, as WebP. */
async function take({ page, path, fill = {}, check = [], from }: Scene, language: string, press: Page): Promise<Buffer> {
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}lng=${language}`);
  for (const [name, value] of Object.entries(fill)) await page.locator(`main [name="${name}"]`).fill(value);
  for (const value of check) await page.locator(`main input[value="${value}"]`).check();
  const first = from === undefined ? page.locator('main') : page.locator('main h2').nth(from);
  const above = from === undefined ? 0 : ABOVE_HEADING;
  const top = await first.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));
  const png = await page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    fullPage: true,
    clip: { x: 0, y: top - above, width: PICTURE.width, height: PICTURE.height },
  });
  const pressed = await press.evaluate(
    async ({ data, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    { data: png.toString('base64'), quality: QUALITY },
  );
  return Buffer.from(pressed.slice(pressed.indexOf(',') + 1), 'base64');
}

const server = await startRunningServer();
const browser = await chromium.launch({ executablePath: provideChromium(say), args: ['--no-sandbox'] });
try {
  const scenes = await prepareScenes(browser, server);
  const press = await browser.newPage();
  await mkdir(join(folder, 'guides'), { recursive: true });
  let total = 0;
  for (const guide of GUIDES)
    for (const language of LANGUAGES) {
      const picture = await take(scenes[guide.id], language, press);
      total += picture.length;
      await writeFile(join(folder, guidePicture(guide, language)), picture);
      say(`${guidePicture(guide, language)} ${Math.round(picture.length / 1024)} KB`);
    }
  say(`${Math.round(total / 1024)} KB in all`);
} finally {
  await browser.close();
  await server.remove();
}
