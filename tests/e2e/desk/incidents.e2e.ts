import type { Page } from '@playwright/test';
import { expect, sendRefused, signIn, test } from '#tests/e2e/support/journey.ts';

const local = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 16);

/** Records that a report of the incident on this page was sent so many hours ago. */
async function report(page: Page, name: string, hours: number, reference: string): Promise<void> {
  const incident = page.url();
  await page.getByRole('link', { name: `Record as sent: ${name}` }).click();
  await expect(page.getByLabel('Report', { exact: true })).not.toHaveValue('');
  await page.getByLabel('Sent at').fill(local(hours));
  await page.getByLabel('Reference number').fill(reference);
  await page.getByRole('button', { name: 'Record report' }).click();
  await expect(page).toHaveURL(incident);
}

test('an incident goes from its record to the final report, and an auditor reads what was sent when', async ({ page, secondPage }) => {
  await signIn(page, 'admin');
  const main = page.locator('main');
  const title = `Wrong payee ${Date.now()}`;
  await page.goto('/dashboard/policies/compliance/incidents/new');
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByLabel('What happened', { exact: true }).fill('A refund went to another account.');
  await page.getByLabel('Noticed at').fill(local(20));
  await page.getByLabel('Severity').selectOption('High');
  await page.getByLabel('DORA').check();
  await page.getByLabel('Classified at').fill(local(30));
  await sendRefused(page.getByRole('button', { name: 'Record incident' }));
  await expect(page.getByLabel('What happened', { exact: true })).toHaveValue('A refund went to another account.');
  await page.getByLabel('Classified at').fill(local(18));
  await page.getByRole('button', { name: 'Record incident' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
  await expect(main.getByText('Overdue', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await page.getByLabel('Root cause').fill('A stale list of payees.');
  await page.getByRole('button', { name: 'Close incident' }).click();
  await expect(main.getByText('Reports are still due. Record them').first()).toBeVisible();
  await page.locator('main').getByRole('link', { name: title }).click();

  await report(page, 'DORA: Initial notification', 15, 'BF-1');
  await expect(main.getByText('Sent', { exact: true })).toBeVisible();
  await report(page, 'DORA: Intermediate report', 10, 'BF-2');
  await report(page, 'DORA: Final report', 1, 'BF-3');
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await page.getByLabel('Root cause').fill('A stale list of payees.');
  await page.getByRole('button', { name: 'Close incident' }).click();
  await expect(main.getByText('A stale list of payees.').first()).toBeVisible();
  const incident = page.url();

  await signIn(secondPage, 'auditor');
  await secondPage.goto(incident);
  await expect(secondPage.locator('main').getByText('BF-3').first()).toBeVisible();
  await expect(secondPage.getByRole('link', { name: 'Record report' })).toHaveCount(0);
});
