import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, signIn, takesUpTo, test } from '#tests/e2e/support/journey.ts';
import { connectModel, startServices } from '#tests/e2e/support/services.ts';

/** Starts a run with the form that is open, and sees it completed. */
async function giveTask(page: Page) {
  await page.getByLabel('Task').fill('What is 1200 plus 340?');
  await page.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/dashboard\/runs\//);
  await expect(async () => {
    await page.reload();
    await expect(
      page
        .locator('main')
        .getByRole('status')
        .filter({ hasText: /Completed|Failed/ }),
    ).toBeVisible({ timeout: 3_000 });
  }).toPass({ intervals: [200], timeout: 60_000 });
  await expect(page.locator('main').getByRole('status').filter({ hasText: 'Completed' })).toBeVisible();
}

test('a builder writes an agent, publishes it, gives it a task and pauses it', async ({ page, secondPage }) => {
  takesUpTo(400_000);
  const services = await startServices();
  const name = `Accountant ${randomUUID().slice(0, 8)}`;
  await signIn(page, 'builder');
  const model = await connectModel(page, services, `Models of ${name}`);
  await signIn(secondPage, 'approver');
  await secondPage.goto(model);
  await secondPage.getByRole('checkbox', { name: /^Choose .* for approval$/ }).check();
  await secondPage.getByRole('button', { name: 'Approve selected' }).click();
  await expect(secondPage.getByText('Approved. Workflows can call it now.').first()).toBeVisible();

  await page.goto('/dashboard/agents/authored/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Instructions').fill('Compute with the tool and answer in one sentence.');
  await page.getByLabel('Model', { exact: true }).selectOption({ label: `small-1 · Models of ${name}` });
  await page.getByLabel(/Evaluate arithmetic/).check();
  await page.getByLabel('Calls', { exact: true }).fill('none');
  await page.getByRole('button', { name: 'Create agent' }).click();
  // What was typed is still there beside what is wrong with it.
  await expect(page.getByLabel('Calls', { exact: true })).toHaveValue('none');
  await page.getByLabel('Calls', { exact: true }).fill('6');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const agent = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Try the draft' }).click();
  await giveTask(page);
  await page.goto(agent);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1, in force' })).toBeVisible();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText(/All its connections respond\./).first()).toBeVisible();
  await page.getByRole('link', { name: 'Version 1', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${name}, version 1` })).toBeVisible();
  await expect(page.locator('main')).toContainText('50,000 tokens');
  await page.goto(agent);

  await page.getByRole('link', { name: 'Give a task' }).click();
  await giveTask(page);
  await expect(page.locator('main')).toContainText('Evaluate arithmetic');
  await page
    .getByRole('link', { name: /Evaluate arithmetic/ })
    .last()
    .click();
  await expect(page.locator('main')).toContainText('1540');

  await page.goto(`/dashboard/agents?q=${encodeURIComponent(name)}`);
  const row = page.getByRole('row', { name });
  await expect(row).toContainText('Online');
  await page.goto(agent);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('This agent is paused')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Give a task' })).toHaveCount(0);
  await page.goto('/dashboard/agents/monitoring');
  await expect(page.getByRole('row', { name })).toContainText('Offline');
  await page.goto(`${agent}/delete`);
  await expect(page.getByText('Are you sure you want to delete this item?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete agent' }).click();
  await expect(page.getByText(/^Agent deleted/).first()).toBeVisible();
  await services.stop();
});
