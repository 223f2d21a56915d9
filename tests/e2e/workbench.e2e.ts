import type { Page, Request } from '@playwright/test';
import { expect, expectAccessible, publishDraft, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

const picture = (page: Page) => page.locator('main').getByRole('region', { name: 'Picture' });
const card = (page: Page, name: string) => picture(page).getByRole('link', { name: new RegExp(`^(?!Add a step).*: ${name}`) });

/** A new workflow with one step, in its editor. */
async function openEditor(page: Page, name: string): Promise<string> {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  await page.getByLabel('Name', { exact: true }).fill(`${name} ${withScripts() ? 'with' : 'without'} scripts`);
  await page.locator('main').getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  return page.url();
}

/** Adds what a search finds at the place that is open. */
async function addFound(page: Page, query: string, found: string): Promise<void> {
  const main = page.locator('main');
  await main.getByRole('searchbox', { name: 'What should happen here?' }).fill(query);
  if (!withScripts()) await main.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(main.getByRole('status').filter({ hasText: 'Found: 1' })).toBeVisible();
  await main.getByRole('button', { name: new RegExp(`^${found}`) }).click();
  await expect(page).toHaveURL(/\/edit\/step\//);
}

test('a flow is built on its picture: what is searched for is added between two steps and opens beside it', async ({ page }) => {
  const editor = await openEditor(page, 'Workbench');
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Add a step' }).first().click();
  await expect(main.getByRole('heading', { level: 1, name: 'Add a step' })).toBeVisible();
  if (withScripts()) await scriptsArrive(page);
  await addFound(page, 'until date', 'Wait');
  await expect(main.getByRole('textbox', { name: 'Duration' })).toBeVisible();
  await expect(card(page, 'Wait')).toHaveAttribute('aria-current', 'true');
  await picture(page).getByRole('link', { name: 'Add a step before: Wait' }).click();
  await expect(main.getByRole('searchbox', { name: 'What should happen here?' })).toBeVisible();
  await expectAccessible(page);
  await addFound(page, 'personal redact', 'Redact');
  // The step that was found is set up to call it.
  await expect(main.getByRole('combobox', { name: 'Tool' })).not.toHaveValue('');
  await expectAccessible(page);
  await page.goto(editor);
  const names = await picture(page).locator('.flow-card .flow-name').allTextContents();
  expect(names.map((name) => name.trim())).toEqual([expect.stringMatching(/^Redact/), 'Wait']);
  await card(page, 'Wait').click();
  await main
    .getByRole('button', { name: 'Duplicate: Wait' })
    .or(main.getByRole('button', { name: /Duplicate/ }))
    .first()
    .click();
  await expect(page).toHaveURL(/\/edit$/);
  await expect(picture(page).locator('.flow-card')).toHaveCount(3);
});

test('on the picture keys move, copy, paste, delete and undo, and a card is dragged to its place @scripts', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openEditor(page, 'Keys');
  const main = page.locator('main');
  const add = async (kind: string, name: string) => {
    await main.getByLabel('Kind of step').last().selectOption({ label: kind });
    await main.getByLabel('What it does').last().fill(name);
    await main.getByRole('button', { name: 'Add step' }).last().click();
    await expect(card(page, name)).toBeVisible();
  };
  await scriptsArrive(page);
  for (const name of ['One', 'Two', 'Three']) await add('Wait', name);
  // A link half under the bar at the top counts as too small.
  const fromTop = () => page.evaluate(() => window.scrollTo(0, 0));
  const names = async () => (await picture(page).locator('.flow-card .flow-name').allTextContents()).map((name) => name.trim());
  await card(page, 'One').focus();
  await page.keyboard.press('ArrowRight');
  await expect(card(page, 'Two')).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(names).toEqual(['One', 'Three', 'Two']);
  await expect(card(page, 'Two')).toBeFocused();
  await page.keyboard.press('Control+d');
  await expect.poll(names).toEqual(['One', 'Three', 'Two', 'Two']);
  await card(page, 'Three').focus();
  await page.keyboard.press('Control+c');
  await card(page, 'One').focus();
  await page.keyboard.press('Control+v');
  await expect.poll(names).toEqual(['One', 'Three', 'Three', 'Two', 'Two']);
  await card(page, 'One').focus();
  await page.keyboard.press('Delete');
  await expect.poll(names).toEqual(['Three', 'Three', 'Two', 'Two']);
  await picture(page).locator('.flow-card').first().focus();
  await page.keyboard.press('Control+z');
  await expect.poll(names).toEqual(['One', 'Three', 'Three', 'Two', 'Two']);
  await card(page, 'One').dragTo(picture(page).getByRole('link', { name: 'Add a step here' }).last());
  await expect.poll(names).toEqual(['Three', 'Three', 'Two', 'Two', 'One']);
  await fromTop();
  await expectAccessible(page);
  // Several at once: each move is one change, said with its number and taken back by one undo.
  const said = (words: string) => expect(page.locator('[data-announcer]').getByText(words)).toBeAttached();
  await card(page, 'One').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await said('Selected: 2');
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await said('Steps moved: 2');
  await expect.poll(names).toEqual(['Two', 'Three', 'Three', 'Two', 'One']);
  await page.keyboard.press('Control+x');
  await expect.poll(names).toEqual(['Two', 'Two', 'One']);
  await card(page, 'One').focus();
  await page.keyboard.press('Control+v');
  await said('Steps pasted: 2');
  await expect.poll(names).toEqual(['Two', 'Two', 'One', 'Three', 'Three']);
  await page.keyboard.press('Control+z');
  await expect.poll(names).toEqual(['Two', 'Two', 'One']);
  await card(page, 'One').click({ modifiers: ['ControlOrMeta'] });
  await card(page, 'Two')
    .first()
    .click({ modifiers: ['Shift'] });
  await expect(picture(page).locator('.flow-card[data-chosen]')).toHaveCount(3);
  await main.getByRole('button', { name: 'Duplicate', exact: true }).first().click();
  await expect.poll(names).toEqual(['Two', 'Two', 'One', 'Two', 'Two', 'One']);
  // The copies are chosen, in the outline as well.
  await expect(main.getByRole('checkbox', { checked: true })).toHaveCount(3);
  // Undo, pressed before a duplicate is answered, takes back the duplicate and nothing before it.
  const gate = Promise.withResolvers<void>();
  const isMove = (request: Request) => request.method() === 'POST' && request.url().includes('/edit.data');
  await page.route('**/edit.data*', (route) => (isMove(route.request()) ? gate.promise.then(() => route.continue()) : route.continue()));
  const sent = page.waitForRequest(isMove);
  await card(page, 'One').first().focus();
  await page.keyboard.press('Control+d');
  await sent;
  await main.getByRole('button', { name: 'Undo' }).first().click();
  gate.resolve();
  await expect(main.getByRole('button', { name: 'Redo' }).first()).toBeEnabled();
  await expect.poll(names).toEqual(['Two', 'Two', 'One', 'Two', 'Two', 'One']);
  await page.unroute('**/edit.data*');
  // A step is found by its name, and the picture shown larger, by buttons alone.
  const find = main.getByRole('searchbox', { name: 'Find a step' });
  await find.fill('wait');
  await expect(main.getByText('1 of 6: Two', { exact: true })).toBeVisible();
  await find.press('Shift+Enter');
  await expect(main.getByText('6 of 6: One', { exact: true })).toBeVisible();
  await expect(picture(page).locator('.flow-card[data-found]')).toHaveText(/One/);
  const width = async () => (await picture(page).locator('.flow-card').first().boundingBox())?.width ?? 0;
  const before = await width();
  await main.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(async () => Math.round(((await width()) / before) * 100)).toBe(125);
  await main.getByRole('button', { name: 'Zoom out' }).click();
  await main.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(async () => Math.round(((await width()) / before) * 100)).toBe(80);
  // No empty room is left around a picture that is shown smaller.
  const room = await picture(page)
    .locator('.flow > *')
    .evaluate((view) => view.scrollHeight - (view.firstElementChild?.getBoundingClientRect().height ?? 0));
  expect(Math.abs(room)).toBeLessThan(2);
  await main.getByRole('button', { name: 'Fit' }).click();
  // A small flow has no map of itself; a large one has, on which one goes elsewhere.
  const map = picture(page).locator('.flow-map');
  await expect(map).toHaveCount(0);
  await main.getByRole('button', { name: 'Select all' }).click();
  for (const count of [12, 24, 48]) {
    await main.getByRole('button', { name: 'Duplicate', exact: true }).first().click();
    await expect(picture(page).locator('.flow-card')).toHaveCount(count);
    await main.getByRole('button', { name: 'Select all' }).click();
  }
  await map.click({ position: { x: 20, y: 200 } });
  await expect
    .poll(() =>
      picture(page)
        .locator('.flow > *')
        .evaluate((view) => view.scrollTop),
    )
    .toBeGreaterThan(100);
  await fromTop();
  await expectAccessible(page);
});

test('several steps of the outline are moved, copied and deleted together, and taken back by one undo', async ({ page }) => {
  await openEditor(page, 'Several');
  const main = page.locator('main');
  if (withScripts()) await scriptsArrive(page);
  for (const name of ['One', 'Two', 'Three']) {
    await main.getByLabel('What it does').last().fill(name);
    await main.getByRole('button', { name: 'Add step' }).last().click();
    await expect(card(page, name)).toBeVisible();
  }
  const names = async () => (await picture(page).locator('.flow-card .flow-name').allTextContents()).map((name) => name.trim());
  const several = main.getByRole('group', { name: 'With the selected steps:' });
  await several.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^No steps are selected/).first()).toBeVisible();
  for (const name of ['One', 'Two']) await main.getByRole('checkbox', { name: `Select ${name}` }).check();
  await several.getByRole('combobox', { name: 'Move to' }).selectOption({ label: 'End of: the workflow' });
  await several.getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(names).toEqual(['Three', 'One', 'Two']);
  for (const name of ['One', 'Two']) await main.getByRole('checkbox', { name: `Select ${name}` }).check();
  await several.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/^Steps deleted/).first()).toBeVisible();
  await expect.poll(names).toEqual(['Three']);
  await main.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(names).toEqual(['Three', 'One', 'Two']);
  await expectAccessible(page);
});

test('a step runs another workflow, whose run is tied to the one that waits for it', async ({ page }) => {
  const name = `Check shared ${withScripts() ? 'with' : 'without'} scripts`;
  const child = await openEditor(page, 'Check shared');
  const main = page.locator('main');
  await page.goto(`${child}/json`);
  if (withScripts()) await scriptsArrive(page);
  const document = {
    format: 'quorate.workflow/1',
    input: [{ name: 'amount', title: 'Amount', type: 'number', required: true }],
    steps: [{ id: 'double', name: 'Double it', kind: 'transform', expression: '=input.amount * 2' }],
    output: '=steps.double',
  };
  await main.getByRole('textbox').fill(JSON.stringify(document));
  await main.getByRole('button', { name: 'Save document' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();

  const caller = await openEditor(page, 'Caller of it');
  await main.getByRole('link', { name: 'Add a step' }).first().click();
  if (withScripts()) await scriptsArrive(page);
  await addFound(page, name, 'Check shared');
  await expect(main.getByRole('combobox', { name: 'Workflow to run' })).toHaveText(new RegExp(name));
  // Its input is asked for by the names that it has there.
  const amount = main.getByRole('textbox', { name: 'Amount' });
  await main.getByText('Available data').click();
  if (withScripts()) {
    await amount.focus();
    await main.getByRole('button', { name: /^Insert run\.startedAt/ }).click();
    await expect(amount).toHaveValue('=run.startedAt');
  } else await expect(main.getByText('run.startedAt', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await amount.fill('=20 + 1');
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Save step' }).click();
  await expect(page.getByText(/^Step saved/).first()).toBeVisible();
  await expect(amount).toHaveValue('=20 + 1');
  await main.getByRole('link', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();
  // Before a further version of the shared one is published, its page names who would use it.
  await page.goto(child.replace(/\/edit$/, '/publish'));
  await expect(main.getByRole('link', { name: /^Caller of it/ })).toBeVisible();
  await expect(main.getByText('The draft does the same as version 1.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Publish version 2' }).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${caller.replace(/\/edit$/, '')}/run`);
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText('Completed').first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await main.locator('.trace-link').first().click();
  await expectAccessible(page);
  await main.getByRole('link', { name: /Open the run of the sub-workflow/ }).click();
  await expect(main.getByText('42', { exact: true }).filter({ visible: true }).first()).toBeVisible();
  await main.getByRole('link', { name: run.split('/').at(-1) ?? '' }).click();
  await expect(page).toHaveURL(run);
  // The values of the newest run stand beside the names.
  await page.goto(`${caller}/step/sub_workflow_1`);
  await main.getByText('Available data').click();
  await expect(main.getByText(run.split('/').at(-1) ?? '', { exact: true })).toBeVisible();
  if (!withScripts()) return;
  await scriptsArrive(page);
  await amount.fill('=steps.sub_workflow_1 / 2');
  const preview = main.getByRole('status').filter({ hasText: 'With the available data' });
  await expect(preview.getByText('21', { exact: true })).toBeVisible();
  await amount.fill('=steps.sub_workflow_1 +');
  await expect(preview.getByText(/can’t be read/)).toBeVisible();
  await expectAccessible(page);
});
