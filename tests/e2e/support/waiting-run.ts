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

/** Sends the form of a page by request, with these values and its hidden ones; answers where it leads. */
async function sendForm(page: Page, address: string, values: Record<string, string>): Promise<string> {
  const served = await (await page.request.get(address)).text();
  const main = served.slice(served.indexOf('<main'));
  const hidden = [...main.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const answer = await page.request.post(address, { form: { ...Object.fromEntries(hidden), ...values }, maxRedirects: 0 });
  expect(answer.status(), `the answer to ${address}`).toBe(303);
  return new URL(answer.headers().location ?? '', answer.url()).pathname;
}

/**
 * As a builder: publishes the template that screens one supplier after another, and runs it with one name that is on its list; answers the
 * addresses of the run, of the items of its loop and of the item with the hit, whose decision the run waits for.
 */
export async function startLoopRun(page: Page): Promise<{ run: string; items: string; item: string }> {
  const draft = await sendForm(page, '/dashboard/workflows/new', { name: 'Supplier screening', template: 'supplierScreening' });
  const workflow = draft.replace(/\/edit$/, '');
  await sendForm(page, `${workflow}/publish`, {});
  const run = await sendForm(page, `${workflow}/run`, {
    suppliers: 'Harbour Logistics\nViktor Petrenko\nLakeside',
    watchlist: 'Viktor Petrenko',
  });
  await untilServed(page, run, `/dashboard/approvals/${ID}`);
  return { run, items: `${run}/items?loop=each_supplier`, item: `${run}/item?item=each_supplier%2F1` };
}

/**
 * As a builder of the demo workspace: starts a records request that waits for an officer; answers its address and its approval's.
 * By requests, and the browser stays where it is: how a person starts a run is a journey of its own.
 */
export async function startWaitingRun(page: Page): Promise<{ workflow: string; run: string; approval: string }> {
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const run = await sendForm(page, `${workflow}/run`, {
    request: 'Please send the minutes of the meeting on the new bridge.',
    record: 'Minutes. Present: Maria Keller, maria.keller@example.org.',
    received: '2026-10-01',
    today: '2026-10-12',
  });
  expect(run).toMatch(new RegExp(`^/dashboard/runs/${ID}$`));
  return { workflow, run, approval: await untilServed(page, run, `/dashboard/approvals/${ID}`) };
}

/** As a builder: publishes a records request of this name and starts it so often; answers the workflow and the approvals, the oldest first. */
export async function startWaitingRuns(page: Page, name: string, count: number): Promise<{ id: string; approvals: string[] }> {
  const draft = await sendForm(page, '/dashboard/workflows/new', { name, template: 'recordsRequest' });
  const workflow = draft.replace(/\/edit$/, '');
  await sendForm(page, `${workflow}/publish`, {});
  const approvals: string[] = [];
  for (let place = 1; place <= count; place += 1) {
    const run = await sendForm(page, `${workflow}/run`, {
      request: `Please send the minutes of meeting ${place}.`,
      record: 'Minutes. Present: Maria Keller, maria.keller@example.org.',
      received: '2026-10-01',
      today: '2026-10-12',
    });
    approvals.push(await untilServed(page, run, `/dashboard/approvals/${ID}`));
  }
  return { id: workflow.split('/').at(-1) ?? '', approvals };
}

/** As a builder: a draft of this name from the template that screens a payment; answers its workflow's address. */
export async function draftPayments(page: Page, name: string): Promise<string> {
  const draft = await sendForm(page, '/dashboard/workflows/new', { name, template: 'paymentScreening' });
  return draft.replace(/\/edit$/, '');
}

/** As a builder: publishes such a draft and starts it with a payee on the list; answers the addresses of the run and of its approval. */
export async function startPayment(
  page: Page,
  workflow: string,
  payee: string,
  amount: string,
): Promise<{ run: string; approval: string }> {
  await sendForm(page, `${workflow}/publish`, {});
  const run = await sendForm(page, `${workflow}/run`, {
    payee,
    'amount.amount': amount,
    'amount.currency': 'EUR',
    purpose: 'Consulting, invoice 17',
    watchlist: payee,
  });
  return { run, approval: await untilServed(page, run, `/dashboard/approvals/${ID}`) };
}

/** As a builder: publishes the template that asks for what is missing, and runs it; answers the addresses of draft, run and form. */
export async function startTaskRun(page: Page, name: string): Promise<{ draft: string; run: string; task: string }> {
  const draft = await sendForm(page, '/dashboard/workflows/new', { name, template: 'purchaseRequest' });
  const workflow = draft.replace(/\/edit$/, '');
  await sendForm(page, `${workflow}/publish`, {});
  const run = await sendForm(page, `${workflow}/run`, { item: 'Standing desk', 'amount.amount': '480', 'amount.currency': 'EUR' });
  return { draft, run, task: await untilServed(page, run, `/dashboard/tasks/${ID}`) };
}

/** Starts a records request and cancels it; answers the address of the run, which has ended. */
export async function cancelRun(page: Page): Promise<string> {
  const { run } = await startWaitingRun(page);
  await page.goto(run);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await untilServed(page, run, `${run}/again`);
  return run;
}
