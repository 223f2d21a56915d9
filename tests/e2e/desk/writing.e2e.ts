import { randomUUID } from 'node:crypto';
import { expect, expectAccessible, signIn, takesUpTo, test, withScripts } from '#tests/e2e/support/journey.ts';
import { connectModel } from '#tests/e2e/support/services.ts';
import { startSlowModel } from '#tests/support/slow-model.ts';

test.use({ baseURL: process.env.QUORATE_E2E_OPEN_ORIGIN });

test('what an agent writes shows on the page of its run before it has ended', async ({ page, secondPage }) => {
  takesUpTo(240_000);
  const model = await startSlowModel();
  const data = process.env.QUORATE_E2E_OPEN_DATA;
  const name = `Writer ${randomUUID().slice(0, 8)}`;
  await signIn(page, 'builder', data);
  const connection = await connectModel(page, model.stranger, `Models of ${name}`);
  await signIn(secondPage, 'approver', data);
  await secondPage.goto(connection);
  await secondPage.getByRole('checkbox', { name: /^Choose .* for approval$/ }).check();
  await secondPage.getByRole('button', { name: 'Approve selected' }).click();
  await expect(secondPage.locator('main')).toContainText('Approved. Workflows can call it now.');
  await page.goto('/dashboard/agents/authored/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Instructions').fill('Write a letter.');
  await page.getByLabel('Model', { exact: true }).selectOption({ label: `small-1 · Models of ${name}` });
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('link', { name: 'Try the draft' }).click();
  await page.getByLabel('Task').fill('A letter to all');
  await page.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/dashboard\/runs\//);
  await expect.poll(model.calls).toBe(1);
  const main = page.locator('main');
  const writing = main.getByRole('region', { name, exact: true });
  const shows = async (text: string) => {
    if (withScripts()) return expect(writing).toHaveText(text);
    await expect(async () => {
      await page.reload();
      await expect(writing).toHaveText(text, { timeout: 500 });
    }).toPass({ intervals: [250], timeout: 30_000 });
  };
  model.write('Dear');
  await shows('Dear');
  await expect(main.getByText('Characters: 4')).toBeVisible();
  await expectAccessible(page);
  model.write(' all,');
  await shows('Dear all,');
  model.end();
  if (withScripts()) await expect(page.locator('[data-announcer]').getByText(`Finished writing: ${name}`)).toBeAttached();
  await expect(async () => {
    if (!withScripts()) await page.reload();
    await expect(main.getByRole('status').filter({ hasText: 'Completed' })).toBeVisible({ timeout: 3_000 });
  }).toPass({ intervals: [250], timeout: 60_000 });
  await expect(writing).toHaveCount(0);
  await expect(main.getByText('Dear all,').first()).toBeVisible();
  await model.stranger.stop();
});
