import { expect, expectAccessible, openIn, scriptsArrive, scriptsOf, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { findLink } from '#tests/e2e/support/waiting-run.ts';

test('an expression is completed by keys alone: names, members and functions @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/edit/step/redact`);
  await scriptsArrive(page);
  const main = page.locator('main');
  const field = main.getByRole('textbox', { name: 'Text', exact: true });
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const option = (name: RegExp) => list.getByRole('option', { name });
  await field.fill('');
  await field.pressSequentially('=in');
  await expect(option(/^input/).first()).toBeVisible();
  await expect(field).toHaveAttribute('aria-autocomplete', 'list');
  await expect(page.locator('[data-announcer]').getByText(/^Suggestions: \d+/)).toBeAttached();
  // Enter belongs to the field until a suggestion is active, and the focus stays in it.
  await expect(list.getByRole('option', { selected: true })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  const active = list.getByRole('option', { selected: true });
  await expect(active).toHaveText(/^input/);
  expect(await field.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
  expect(await field.getAttribute('aria-controls')).toBe(await list.getAttribute('id'));
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('=input');
  await expect(list).toHaveCount(0);
  await expect(field).not.toHaveAttribute('aria-controls');
  await page.keyboard.press('.');
  await expect(list.getByRole('option').first()).toBeVisible();
  // Escape closes the list and nothing else; it comes back when asked for.
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+ ');
  await expect(option(/^request Request · Long text/)).toBeVisible();
  await field.fill('');
  await field.pressSequentially('=$upp');
  await expect(option(/^\$uppercase\(text\)/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('=$uppercase()');
  // The cursor stands where the first argument goes.
  await page.keyboard.type('"a');
  await expect(list).toHaveCount(0);
  await page.keyboard.type('"');
  await expect(field).toHaveValue('=$uppercase("a")');
  // On a phone the list is no wider than its field.
  await page.setViewportSize({ width: 360, height: 740 });
  await field.fill('=');
  await expect(list.getByRole('option').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await list.getByRole('option', { name: /^run/ }).click();
  await expect(field).toHaveValue('=run');
  await expect(field).toBeFocused();
});

test('without scripts a name is put into its field by a button; with scripts there is none', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/edit/step/redact`);
  const main = page.locator('main');
  const open = main.getByRole('button', { name: 'Insert a name: Text' });
  if (scriptsOf() !== 'none') {
    await expect(open).toHaveCount(0);
    return;
  }
  const field = main.getByRole('textbox', { name: 'Text', exact: true });
  await main.getByRole('textbox', { name: 'What it does' }).fill('Not saved');
  await field.fill('=input.record &');
  await open.click();
  await main.locator('form summary').filter({ hasText: 'Input of the workflow' }).click();
  await main.getByRole('button', { name: /^Insert input\.request/ }).click();
  await expect(field).toHaveValue('=input.record & input.request');
  await expect(main.getByRole('textbox', { name: 'What it does' })).toHaveValue('Not saved');
  await expect(open).toBeVisible();
  // Enter in a field saves, as it always did, and inserts nothing.
  await page.goto(`${workflow}/edit/step/redact`);
  await expect(field).not.toHaveValue(/&/);
  await main.getByRole('textbox', { name: 'What it does' }).press('Enter');
  await expect(page.getByText(/^Step saved/).first()).toBeVisible();
});

test('a step is tested as it stands in its form, which keeps what was typed', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const address = `${workflow}/edit/step/redact`;
  await page.goto(address);
  if (withScripts()) await scriptsArrive(page);
  const main = page.locator('main');
  const panel = main.getByRole('region', { name: 'Test this step' });
  const field = main.getByRole('textbox', { name: 'Text', exact: true });
  const saved = await field.inputValue();
  await field.fill('Write to nobody@example.org');
  await panel.getByRole('button', { name: 'Test step' }).click();
  await expect(page).toHaveURL(/\?test=[0-9a-f-]{36}#step-test$/);
  await expect(field).toHaveValue('Write to nobody@example.org');
  await expect(main.getByText('Not saved yet')).toBeVisible();
  await expect(async () => {
    if (!withScripts()) await page.reload();
    await expect(panel.getByText('Completed')).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [200] });
  await expect(panel.getByText(/Write to/).first()).toBeVisible();
  await expectAccessible(page);
  // Why it was not started stands beside the button, and the form is as it was.
  await field.fill('=input.');
  await panel.getByRole('button', { name: 'Test step' }).click();
  await expect(panel.getByText('The test was not started')).toBeVisible();
  await expect(field).toHaveValue('=input.');
  await page.goto(address);
  await expect(field).toHaveValue(saved);
});

test('the result of a workflow is written with the same names, with scripts and without', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/edit/settings`);
  const main = page.locator('main');
  const field = main.getByRole('textbox', { name: 'Result' });
  const open = main.getByRole('button', { name: 'Insert a name: Result' });
  if (scriptsOf() === 'none') {
    await main.getByRole('textbox', { name: 'Description' }).fill('Not saved');
    await field.fill('=input.record &');
    await open.click();
    await main.locator('form summary').filter({ hasText: 'Input of the workflow' }).click();
    await main.getByRole('button', { name: /^Insert input\.request/ }).click();
    await expect(field).toHaveValue('=input.record & input.request');
    await expect(main.getByRole('textbox', { name: 'Description' })).toHaveValue('Not saved');
    await expectAccessible(page);
    return;
  }
  await scriptsArrive(page);
  await expect(open).toHaveCount(0);
  await field.fill('');
  await field.pressSequentially('=steps.');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(list.getByRole('option', { name: /^redact/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(/^=steps\.\w+$/);
  await field.fill('="a" & "b"');
  await expect(main.getByRole('status').getByText('ab', { exact: true })).toBeAttached();
  await expectAccessible(page);
});

test('the value of an expression shows below its field and over no other, also on a phone from right to left @scripts', async ({
  page,
}) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const arabic = await openIn(page, 'ar');
  await arabic.page.setViewportSize({ width: 360, height: 740 });
  for (const address of ['edit/step/redact', 'edit/settings']) {
    await arabic.page.goto(`${workflow}/${address}?lng=ar`);
    await expect(arabic.page.locator('html')).toHaveAttribute('dir', 'rtl');
    await scriptsArrive(arabic.page);
    const field = arabic.page.locator('main [data-expression]:not([data-expression="template"]) :is(input, textarea)').first();
    await field.fill('="a" & "b"');
    const shown = arabic.page.locator('main [data-expression] > [aria-hidden="true"]', { hasText: 'ab' });
    await expect(shown).toBeVisible();
    const preview = await shown.boundingBox();
    const own = await field.boundingBox();
    if (preview === null || own === null) throw new Error('nothing is shown');
    expect(preview.y).toBeGreaterThanOrEqual(own.y + own.height);
    for (const other of await arabic.page.locator('main :is(input, textarea, select, button):visible').all()) {
      const box = await other.boundingBox();
      if (box === null || box.height < 2) continue;
      expect(box.y >= preview.y + preview.height || box.y + box.height <= preview.y).toBe(true);
    }
    expect(await arabic.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
  await arabic.close();
});
