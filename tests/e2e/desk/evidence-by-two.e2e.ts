import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, sendRefused, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

test('an auditor asks for entries of the log, an approver agrees, and the file leaves once', async ({ page, secondPage }) => {
  // each way of running the journey asks for entries of its own
  const until = withScripts() ? 3 : 4;
  const place = `/dashboard/audit/export?kind=log&from=0&until=${until}`;
  const what = `Entries 0 to ${until} of the log, with proofs`;
  await signIn(page, 'auditor');
  const main = page.locator('main');
  await page.goto(place);
  await expect(main.getByText(what, { exact: true })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Entries from 0' })).toHaveCount(0);
  await sendRefused(main.getByRole('button', { name: 'Ask to export' }));
  await expect(main.getByText('Give a reason for the person who decides').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Reason', { exact: true }).fill('The bank’s supervisor asked for them.');
  await main.getByRole('button', { name: 'Ask to export' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Export evidence of / })).toBeVisible();
  await expect(main.getByText(what, { exact: true })).toBeVisible();
  const asked = page.url();
  await page.goto(place);
  await expect(main.getByText('Waiting for another person', { exact: true })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Ask to export' })).toHaveCount(0);

  const approver = await signIn(secondPage, 'approver');
  const desk = secondPage.locator('main');
  await secondPage.goto(asked);
  await expect(desk.getByText('The bank’s supervisor asked for them.')).toBeVisible();
  await expect(desk.getByText(what, { exact: true })).toBeVisible();
  await expectAccessible(secondPage);
  await secondPage.getByRole('textbox', { name: 'Your password' }).fill(approver.password);
  await secondPage.getByRole('button', { name: 'Approve the change' }).click();
  await expect(desk.getByText('Approved and applied.', { exact: true })).toBeVisible();
  await expect(desk.getByText('Nothing yet', { exact: true })).toBeVisible();

  await page.goto(place);
  await expect(main.getByText('You may download it', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const link = main.getByRole('link', { name: 'Entries from 0', exact: true });
  const address = await link.getAttribute('href');
  const downloading = page.waitForEvent('download');
  await link.click();
  const file: { events?: unknown[] } = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(file.events).toHaveLength(until + 1);

  // The only file has left: it takes another agreement to let it leave again.
  await page.goto(address ?? '');
  await expect(main.getByRole('button', { name: 'Ask to export' })).toBeVisible();
  await secondPage.goto(asked);
  await expect(desk.getByText('Downloaded', { exact: true })).toBeVisible();
  await expect(desk.getByText('Nothing yet', { exact: true })).toHaveCount(0);
});
