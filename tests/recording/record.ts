/**
 * Records Quorate at its main job (an approval, the run that waited for it, its proof), from the built product on fresh data, into public/recording: `npm run build`, then
 * `node tests/recording/record.ts`. The browser alone takes the frames and makes the film of them, so nothing else is needed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import { enter } from '#tests/recording/enter.ts';
import { type Frame, makeFilm } from '#tests/recording/make-film.ts';
import { provideChromium } from '#tests/support/chromium.ts';
import { type RunningServer, startRunningServer } from '#tests/support/running-server.ts';

const SIZE = { width: 960, height: 600 };
const MAX_BYTES = 1_500_000;
const folder = join(import.meta.dirname, '..', '..', 'public', 'recording');
const say = (line: string) => process.stdout.write(`${line}\n`);

const frames: Frame[] = [];

/** Takes what a page shows while `act` works on it. */
async function film(page: Page, act: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ at: performance.now(), jpeg: data });
    // A page that is being left answers no more.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, maxWidth: SIZE.width, maxHeight: SIZE.height });
  await act();
  await session.send('Page.stopScreencast');
  await session.detach();
}

const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).pressSequentially(text, { delay: 12 });

async function glide(page: Page, to: Parameters<Page['locator']>[0]): Promise<void> {
  await page
    .locator(to)
    .first()
    .evaluate((element) => element.scrollIntoView({ behavior: 'smooth', block: 'center' }));
  await wait(900);
}

async function record(browser: Browser, server: RunningServer): Promise<void> {
  const { page: builder } = await enter(browser, server, 'builder', { viewport: SIZE });
  const { page: approver, password } = await enter(browser, server, 'approver', { viewport: SIZE });
  const { page: auditor } = await enter(browser, server, 'auditor', { viewport: SIZE });
  await builder.goto('/dashboard/workflows?q=Records');
  await builder.locator('main').getByRole('link', { name: 'Records request' }).first().click();
  await builder.waitForURL(/workflows\/[0-9a-f-]{36}$/);
  const workflow = new URL(builder.url()).pathname;

  await builder.goto(`${workflow}/run`);
  await type(builder, 'Request', 'Minutes of the meeting on the new bridge, please.');
  await type(builder, 'Record that was asked for', 'Present: Maria Keller, maria.keller@example.org.');
  await builder.getByLabel('Received on').fill('2026-10-01');
  await builder.getByLabel('Answered on').fill('2026-10-12');
  await builder.getByRole('button', { name: 'Start run' }).click();
  await builder.getByRole('link', { name: 'Open the approval' }).waitFor();
  const run = new URL(builder.url()).pathname;
  const approval = await builder.getByRole('link', { name: 'Open the approval' }).getAttribute('href');

  await approver.goto(approval ?? '/dashboard/approvals');
  await film(approver, async () => {
    await wait(2_000);
    await glide(approver, 'main form');
    await type(approver, 'Reason', 'Seen: the name may be released.');
    const meaning = approver.getByLabel('Signed as', { exact: true });
    if (await meaning.isVisible()) await meaning.selectOption('Approved');
    const again = approver.getByLabel('Your password');
    if (await again.isVisible()) await again.fill(password);
    await wait(400);
    await approver.getByRole('button', { name: 'Approve', exact: true }).click();
    await approver
      .getByText(/^Approved\./)
      .first()
      .waitFor();
    await wait(1_800);
  });

  await builder.goto(run);
  await film(builder, async () => {
    await wait(1_200);
    await glide(builder, 'main figure, main svg');
    await wait(1_800);
    await glide(builder, 'main ol li:last-child');
    await wait(1_200);
  });

  await auditor.goto(run.replace('/runs/', '/audit/runs/'));
  await film(auditor, async () => {
    await wait(1_200);
    await auditor.getByRole('button', { name: 'Verify', exact: true }).scrollIntoViewIfNeeded();
    await wait(600);
    await auditor.getByRole('button', { name: 'Verify', exact: true }).click();
    await auditor.getByText('Proven: everything that this evidence claims').waitFor();
    await wait(2_500);
  });
}

const server = await startRunningServer();
const browser = await chromium.launch({ executablePath: provideChromium(say) });
try {
  await record(browser, server);
  say(`${frames.length} frames`);
  const { webm, poster, seconds } = await makeFilm(browser, frames, SIZE);
  if (webm.length > MAX_BYTES) throw new Error(`the film has ${webm.length} bytes, more than ${MAX_BYTES}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'main-job.webm'), webm);
  await writeFile(join(folder, 'main-job.webp'), poster);
  say(`public/recording: ${Math.round(seconds)} s, ${webm.length} bytes, poster ${poster.length} bytes`);
} finally {
  await browser.close();
  await server.remove();
}
