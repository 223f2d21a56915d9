import { expect, type Page } from '@playwright/test';

const ID = '[0-9a-f-]{36}';

/** The first address within quotes that matches, in the main part of a page as it is served. */
async function servedAddress(page: Page, from: string, address: string): Promise<string | undefined> {
  const served = await (await page.request.get(from)).text();
  return new RegExp(`href="(${address})"`).exec(served.slice(served.indexOf('<main')))?.[1];
}

/** Address of the first link on a page that leads to such an address, as its reader would find it. The browser stays where it is. */
export async function findLink(page: Page, from: string, area: string): Promise<string> {
  const found = await servedAddress(page, from, `${area}/${ID}`);
  if (found === undefined) throw new Error(`${from} has no link into ${area}`);
  return found;
}

/** The same, of a link that a run's page has once the run is so far. */
async function untilServed(page: Page, from: string, address: string): Promise<string> {
  let found: string | undefined;
  await expect(async () => {
    found = await servedAddress(page, from, address);
    expect(found, `a link to ${address}`).toBeDefined();
  }).toPass({ intervals: [100, 200, 500], timeout: 60_000 });
  return found ?? '';
}

/**
 * As a builder of the demo workspace: starts a records request that waits for an officer; answers its address and its approval's.
 * By requests, and the browser stays where it is: how a person starts a run is a journey of its own.
 */
export async function startWaitingRun(page: Page): Promise<{ workflow: string; run: string; approval: string }> {
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const form = await (await page.request.get(`${workflow}/run`)).text();
  const hidden = [...form.matchAll(/<input type="hidden" name="(workspace|_mode|_key|_revision)" value="([^"]*)"/g)];
  const answer = await page.request.post(`${workflow}/run`, {
    form: {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      request: 'Please send the minutes of the meeting on the new bridge.',
      record: 'Minutes. Present: Maria Keller, maria.keller@example.org.',
      received: '2026-10-01',
      today: '2026-10-12',
    },
    maxRedirects: 0,
  });
  const run = new URL(answer.headers().location ?? '', answer.url()).pathname;
  expect(run, `the answer to the form, ${answer.status()}`).toMatch(new RegExp(`^/dashboard/runs/${ID}$`));
  return { workflow, run, approval: await untilServed(page, run, `/dashboard/approvals/${ID}`) };
}

/** Starts such a run and cancels it; answers the address of the run, which has ended. */
export async function cancelRun(page: Page): Promise<string> {
  const { run } = await startWaitingRun(page);
  await page.goto(run);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await untilServed(page, run, `${run}/again`);
  return run;
}
