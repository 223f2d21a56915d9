import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startTaskRun } from '#tests/e2e/support/waiting-run.ts';

test('a run asks for what is missing, goes on with the answer, and says so when it is cancelled', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  const name = `Desk ${withScripts() ? 'with' : 'without'} scripts`;
  const { run, task } = await startTaskRun(page, name);
  await page.goto('/dashboard/approvals');
  await expect(
    main.getByRole('table', { name: 'Forms to fill in' }).getByRole('link', { name: 'Ask for missing details' }).first(),
  ).toBeVisible();
  await page.goto(run);
  await expect(main.getByText('Waiting for a form: Ask for missing details')).toBeVisible();
  await main.getByRole('link', { name: 'Open the form', exact: true }).first().click();
  await expect(page).toHaveURL(task);
  await expect(main.getByText('Which cost centre pays, and when is it needed?')).toBeVisible();
  await expect(main.getByText('Standing desk')).toBeVisible();
  await expectAccessible(page);
  if (withScripts()) await scriptsArrive(page);
  // A missing value is named, and nothing typed is lost.
  await main.getByLabel('Needed by').fill('2026-12-01');
  await main.getByRole('button', { name: 'Send the answer' }).click();
  await expect(main.getByRole('link', { name: 'Cost centre: This field is required' })).toBeVisible();
  await expect(main.getByLabel('Needed by')).toHaveValue('2026-12-01');
  await main.getByLabel('Cost centre').fill('4711');
  await main.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByText('Answer sent. The run continues.')).toBeVisible();
  await expect(main.getByText('4711')).toBeVisible();
  await page.goto(task);
  await expect(main.getByText('4711')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Send the answer' })).toHaveCount(0);
  await expectAccessible(page);
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText(/^Waiting for a decision|A person decides on the purchase/).first()).toBeVisible({ timeout: 1_000 });
    await expect(main.locator('.flow-card[data-state="waiting"]')).toHaveCount(1, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await main.getByRole('button', { name: 'Cancel run' }).click();
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText('Cancelled', { exact: true }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(main.getByText(/The run was cancelled\. These steps run before it ends/).first()).toBeVisible();
  await expectAccessible(page);
  if (withScripts()) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await main.getByRole('button', { name: 'Copy: Input' }).click();
    await expect(main.getByRole('button', { name: 'Copied: Input' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"Standing desk"');
  }
  await page.goto('/dashboard/notifications?show=message');
  await expect(
    main.getByRole('link', { name: new RegExp(`^Your purchase request was cancelled: a message from a run of ${name}`) }),
  ).toBeVisible();
});
