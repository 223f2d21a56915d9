import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { cancelRun, findLink, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('the input of a run is kept as a sample, offered where a run starts, and removed', async ({ page }) => {
  await signIn(page, 'builder');
  const { workflow, run } = await startWaitingRun(page);
  const name = `A request ${withScripts() ? 'with' : 'without'} scripts`;
  await page.goto(run);
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Keep as a sample' }).click();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Samples');
  await main.getByRole('button', { name: 'Keep sample' }).click();
  await expect(main.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await main.getByLabel('Name').fill(name);
  await main.getByRole('button', { name: 'Keep sample' }).click();
  const kept = main.getByRole('list', { name: 'Samples of the draft' });
  await expect(kept.getByRole('heading', { name })).toBeVisible();
  await page.goto(`${workflow}/run?mode=test`);
  await expect(main.getByText(name).first()).toBeVisible();
  await page.goto(`${workflow}/edit/samples`);
  await kept.getByRole('button', { name: `Remove: ${name}` }).click();
  await expect(kept.getByRole('heading', { name })).toHaveCount(0);
});

test('a run starts with the input of an earlier one, changed', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto(await cancelRun(page));
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Run with other input' }).click();
  await expect(main.getByText('The form is filled in with the input of the earlier run.')).toBeVisible();
  const text = main.getByRole('textbox').first();
  await expect(text).not.toHaveValue('');
  if (withScripts()) await scriptsArrive(page);
  await text.fill('Another text');
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(main.getByText('Another text').filter({ visible: true }).first()).toBeVisible();
});

test('two runs of a workflow are compared step by step', async ({ page }) => {
  await signIn(page, 'builder');
  const ended = await cancelRun(page);
  await page.goto(ended);
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Compare two runs');
  const steps = main.getByRole('table', { name: 'Steps of the two runs, side by side' });
  await expect(steps.getByRole('row').nth(1)).toBeVisible();
  await main.getByLabel('Compare with').selectOption({ index: 1 });
  await main.getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/\/compare\?with=[0-9a-f-]{36}$/);
  await expect(steps.getByRole('row').nth(1)).toBeVisible();
});

test('a step is tested beside its form, and its output is pinned and removed', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/edit/step/redact`);
  const panel = page.locator('main').getByRole('region', { name: 'Test this step' });
  await expect(panel.getByRole('radio', { name: /^Newest run/ })).toBeChecked();
  await panel.getByRole('button', { name: 'Test step' }).click();
  await expect(page).toHaveURL(/\?test=[0-9a-f-]{36}#step-test$/);
  // With scripts the result comes by itself, and without them by the link.
  if (!withScripts())
    await expect(async () => {
      await page.reload();
      await expect(panel.getByText('Completed')).toBeVisible({ timeout: 100 });
    }).toPass({ intervals: [200] });
  await expect(panel.getByText('Completed')).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Pin this output' }).click();
  await expect(panel.getByRole('heading', { name: 'Pinned output' })).toBeVisible();
  await panel.getByRole('button', { name: 'Remove pinned output' }).click();
  await expect(panel.getByRole('heading', { name: 'Pinned output' })).toHaveCount(0);
});

test('a dry run goes through the draft, and its page says what was not called', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/edit`);
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Dry run' }).click();
  await expect(main.getByText('No call that writes is made')).toBeVisible();
  await main.getByRole('navigation', { name: 'Fill in a sample' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/mode=dry&sample=1/);
  await expect(main.getByRole('textbox').first()).not.toHaveValue('');
  await main.getByRole('button', { name: 'Start dry run' }).click();
  await expect(main.getByText('Dry run: no call that writes is made')).toBeVisible();
  await expect(async () => {
    if (!withScripts()) await page.reload();
    await expect(main.getByText('Completed').first()).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [200] });
  await expect(main.getByText('A live run would ask for this approval.')).toBeVisible();
  await expectAccessible(page);
});
