import { expect, type Page } from '@playwright/test';

const ID = '[0-9a-f-]{36}';

/** Address of the first link on a page that leads to such an address, as its reader would find it. */
export async function findLink(page: Page, from: string, area: string): Promise<string> {
  await page.goto(from);
  const hrefs = await page.locator('main a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const found = hrefs.find((href) => new RegExp(`^${area}/${ID}$`).test(href));
  if (found === undefined) throw new Error(`${from} has no link into ${area}`);
  return found;
}

/** As a builder of the demo workspace: starts a records request that waits for an officer; answers its address and its approval's. */
export async function startWaitingRun(page: Page): Promise<{ workflow: string; run: string; approval: string }> {
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/run`);
  await page.getByLabel('Request', { exact: true }).fill('Please send the minutes of the meeting on the new bridge.');
  await page.getByLabel('Record that was asked for').fill('Minutes. Present: Maria Keller, maria.keller@example.org.');
  await page.getByLabel('Received on').fill('2026-10-01');
  await page.getByLabel('Answered on').fill('2026-10-12');
  await page.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/runs/${ID}$`));
  const run = new URL(page.url()).pathname;
  const link = page.getByRole('link', { name: 'Open the approval' });
  await expect(async () => {
    await page.goto(run);
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  return { workflow, run, approval: (await link.getAttribute('href')) ?? '' };
}

/** Starts such a run and cancels it; answers the address of the run, which has ended. */
export async function cancelRun(page: Page): Promise<string> {
  const { run } = await startWaitingRun(page);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await expect(async () => {
    await page.goto(run);
    await expect(page.getByRole('link', { name: 'Run again' })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  return run;
}
