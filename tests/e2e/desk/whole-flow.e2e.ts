import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { SERVICE_KEY } from '#tests/e2e/support/services.ts';
import { startStranger } from '#tests/support/stranger-peers.ts';

const main = (page: Page) => page.locator('main');

/** With scripts all of the flow is done by keys. */
async function press(target: Locator): Promise<void> {
  if (!withScripts()) return target.click();
  await target.focus();
  await target.press('Enter');
}
async function write(target: Locator, text: string): Promise<void> {
  if (!withScripts()) return target.fill(text);
  await target.focus();
  await target.press('ControlOrMeta+a');
  await target.page().keyboard.type(text);
}
async function pick(target: Locator, label: string): Promise<void> {
  if (!withScripts()) await target.selectOption({ label });
  else {
    await target.focus();
    await target.page().keyboard.type(label);
  }
  await expect(target.locator('option:checked')).toHaveText(label);
}

/** Opens an address as one who waits for the page to listen. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  if (withScripts()) await scriptsArrive(page);
}

/** Adds a step at the end of a list: '' or the path of one inside a step. */
async function add(page: Page, container: string, kind: string, name: string): Promise<void> {
  const form = `#add-${container.replaceAll('/', '-') || 'end'}`;
  await pick(page.locator(`${form}-kind`), kind);
  await write(page.locator(`${form}-name`), name);
  await press(
    main(page)
      .locator('form')
      .filter({ has: page.locator(`${form}-name`) })
      .getByRole('button', { name: 'Add step' }),
  );
  await expect(
    main(page)
      .getByRole('link', { name: new RegExp(`: ${name}`) })
      .first(),
  ).toBeVisible();
}

async function save(page: Page, address: string, fill: (field: (name: string) => Locator) => Promise<void>): Promise<void> {
  await open(page, address);
  await fill((name) => main(page).getByRole('textbox', { name, exact: true }));
  await press(main(page).getByRole('button', { name: 'Save step' }));
  await expect(page.getByText(/^Step saved/).first()).toBeVisible();
}

async function connectService(page: Page, approver: Page, address: string, name: string): Promise<void> {
  await page.goto('/dashboard/plugins/integrations/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Service').selectOption({ label: 'HTTP API' });
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Key or token').fill(SERVICE_KEY);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await approver.goto(new URL(page.url()).pathname);
  await approver.getByRole('checkbox', { name: /^Choose GET.* for approval$/ }).check();
  await approver.getByRole('button', { name: 'Approve selected' }).click();
  await expect(approver.getByText('Approved. Workflows can call it now.').first()).toBeVisible();
}

/** The run that has just been started, once it has ended so. */
async function ended(page: Page, status: 'Completed' | 'Failed'): Promise<string> {
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(async () => {
    // With scripts the page follows the run.
    if (!withScripts()) await page.reload();
    await expect(main(page).getByText(status, { exact: true }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ intervals: [300], timeout: 60_000 });
  return page.url();
}

test('a flow with a loop, a wait, calls, a document and an error way is built, tried, run, failed, retried and compared', async ({
  page,
  secondPage,
}) => {
  let isDown = false;
  const service = await startStranger((_request, _body, response) => {
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
    response.end('{"open":2}');
  });
  const name = `Whole flow ${randomUUID().slice(0, 8)}`;
  await signIn(page, 'builder');
  await signIn(secondPage, 'approver');
  await connectService(page, secondPage, service.origin, `Service of ${name}`);

  await open(page, '/dashboard/workflows/new');
  await write(page.getByLabel('Name', { exact: true }), name);
  await press(main(page).getByRole('button', { name: 'Create workflow' }));
  await expect(page).toHaveURL(/\/edit$/);
  if (withScripts()) await scriptsArrive(page);
  const editor = page.url();
  const workflow = editor.replace(/\/edit$/, '');
  await add(page, '', 'For each', 'Each line');
  await add(page, 'for_each_1/each', 'Transform', 'Double it');
  await add(page, '', 'Wait', 'Wait a moment');
  await add(page, '', 'Error handling', 'With a way out');
  await add(page, 'try_1/steps', 'HTTP request', 'Ask once');
  await add(page, 'try_1/on_error', 'Transform', 'Note the error');
  await add(page, '', 'Create document', 'Write the letter');
  await add(page, '', 'HTTP request', 'Ask again');

  const step = (path: string) => `${editor}/step/${path}`;
  await save(page, step('for_each_1'), (field) => write(field('List'), '=[1, 2]'));
  await save(page, step('for_each_1/each/transform_1'), (field) => write(field('Expression'), '=item * 2'));
  await save(page, step('wait_1'), async (field) => {
    await write(field('Duration'), '1');
    await pick(page.getByLabel('Unit'), 'seconds');
  });
  for (const path of ['try_1/steps/http_1', 'http_2'])
    await save(page, step(path), async (field) => {
      const target = page.getByLabel('Method and API');
      const label = await target.locator('option').filter({ hasText: /^GET/ }).filter({ hasText: name }).textContent();
      await pick(target, label ?? '');
      await write(field('Path'), '/open');
      await write(field('Retries'), '0');
    });
  await save(page, step('try_1/on_error/transform_2'), (field) => write(field('Expression'), '=error.key'));
  await save(page, step('create_document_1'), async (field) => {
    await write(field('File name (optional)').or(field('File name')), 'Letter');
    await write(field('Rows').or(field('Rows (optional)')), '=[{"lines": 2}]');
  });

  // A step by itself, as its form has it.
  await press(main(page).getByRole('button', { name: 'Test step' }));
  await expect(page).toHaveURL(/\?test=/);
  const panel = main(page).getByRole('region', { name: 'Test this step' });
  await expect(async () => {
    if (!withScripts()) await page.reload();
    await expect(panel.getByText('Completed')).toBeVisible({ timeout: 1_000 });
  }).toPass({ intervals: [300] });

  await open(page, `${workflow}/run?mode=dry`);
  await press(main(page).getByRole('button', { name: 'Start dry run' }));
  await ended(page, 'Completed');

  await open(page, `${workflow}/publish`);
  await press(
    main(page)
      .getByRole('button', { name: /^Publish version 1$/ })
      .first(),
  );
  await expect(page).not.toHaveURL(/\/publish/);
  isDown = true;
  await open(page, `${workflow}/run`);
  await press(main(page).getByRole('button', { name: 'Start run' }));
  const failed = await ended(page, 'Failed');
  await expect(main(page).getByText('Note the error').first()).toBeVisible();
  await expectAccessible(page);

  isDown = false;
  await press(main(page).getByRole('link', { name: 'Retry the failed step' }).first());
  await expect(page).toHaveURL(/\/again\?step=http_2/);
  if (withScripts()) await scriptsArrive(page);
  await press(main(page).getByRole('button', { name: 'Start the run' }));
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  expect(page.url()).not.toBe(failed);
  await ended(page, 'Completed');
  await press(main(page).getByRole('link', { name: 'Compare', exact: true }));
  await expect(main(page).getByRole('table', { name: 'Steps of the two runs, side by side' }).getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page);
  await service.stop();
});
