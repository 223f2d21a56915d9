import { expect, expectAccessible, publishDraft, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { findLink, startLoopRun, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('an invitation that does not exist offers ways on', async ({ page }) => {
  const answer = await page.goto('/invitations/no-such-token');
  expect(answer?.status()).toBe(404);
  const main = page.locator('main');
  await expect(main.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard');
  await main.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('each customer that was made up is called an example', async ({ page }) => {
  await page.goto('/');
  const quotes = page.locator('#testimonials figure');
  await expect(quotes).toHaveCount(3);
  await expect(page.locator('#testimonials').getByText('Example', { exact: true })).toHaveCount(3);
});

test('a law says which technical controls stand, and never that it is met', async ({ page }) => {
  await signIn(page, 'auditor');
  await page.goto('/dashboard/policies/compliance/gdpr');
  const main = page.locator('main');
  await expect(main).toContainText('That does not make you compliant with a law or standard.');
  await expect(main.getByText('Technical controls', { exact: true })).toBeVisible();
  // Breadcrumbs lead here: there is a mark between two of them, and none behind the last.
  const crumbs = page.getByRole('navigation', { name: 'You are here' }).getByRole('listitem');
  await expect(crumbs).toHaveCount(2);
  expect(await crumbs.last().evaluate((item) => item.lastElementChild?.localName)).toBe('a');
  await page.goto('/dashboard/policies/compliance?part=laws&region=EU');
  await expect(page.getByRole('row', { name: /^GDPR/ })).not.toContainText('Compliant');
});

test('a value of a run is there whole, as a file', async ({ page }) => {
  await signIn(page, 'builder');
  const { run } = await startWaitingRun(page);
  const answer = await page.request.get(`${run}/value?of=input`);
  expect(answer.headers()['content-disposition']).toMatch(/^attachment; filename="quorate-run-[\w-]+-input\.json"$/);
  expect(Object.keys(await answer.json())).toContain('record');
  expect((await page.request.get(`${run}/value?of=output&step=nothing`)).status()).toBe(404);
});

test('a list is worked through item by item, and each item can be looked at', async ({ page }) => {
  await signIn(page, 'builder');
  const { run } = await startLoopRun(page);
  await page.goto(run);
  const main = page.locator('main');
  const trace = main.getByRole('table', { name: /Steps in the order they started/ });
  await expect(trace.getByText('3 of 3 items done.')).toBeVisible();
  await trace.getByRole('link', { name: 'Screen each supplier' }).click();
  // One selection: in the picture, in the trace and beside them.
  const panel = main.getByRole('region', { name: 'Step: Screen each supplier' });
  await expect(panel.getByRole('heading', { level: 3, name: 'Output' })).toBeVisible();
  for (const view of [trace, main.getByRole('region', { name: 'Flow' })])
    await expect(view.locator('[aria-current=true]')).toHaveText(/Screen each supplier/);
  await expectAccessible(page);
  if (withScripts()) {
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(trace.getByRole('link', { name: 'Screen each supplier' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(panel).toBeVisible();
    await expect(trace.getByRole('link', { name: 'Screen each supplier' })).toBeFocused();
  }
  await main.getByRole('link', { name: 'Show items' }).click();
  const items = main.getByRole('table', { name: /Items of Screen each supplier/ }).getByRole('row');
  await expect(items).toHaveText([/Item/, /Item 1.*Harbour Logistics/, /Item 2.*Viktor Petrenko/, /Item 3.*Lakeside/]);
  await items.getByRole('link', { name: 'Item 2' }).click();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Item 2 of Screen each supplier');
  await trace.getByRole('link', { name: 'Screen the supplier' }).click();
  await expectAccessible(page);
  await expect(main.getByRole('heading', { level: 2, name: 'Screen the supplier' })).toBeVisible();
  await page.goto(`${run}/items?loop=each_supplier&only=failed`);
  await expect(main.getByText('No items here.')).toBeVisible();
  expect((await page.request.get(`${run}/items?loop=triage`)).status()).toBe(404);
  expect((await page.request.get(`${run}/item?item=each_supplier%2F9`)).status()).toBe(404);
});

test('runs are found by what they were, and the search is kept', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/runs');
  const main = page.locator('main');
  await main.getByText('More filters').click();
  await main.getByLabel('Started through').selectOption('manual');
  await main.getByRole('combobox', { name: 'Status' }).selectOption('failed');
  await main.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(main.getByLabel('Cause of failure')).toBeVisible();
  await main.getByLabel('Name of the view').fill('What failed');
  await main.getByRole('button', { name: 'Save this view' }).click();
  await expect(page.getByText('View saved.').first()).toBeVisible();
  await page.goto('/dashboard/runs');
  await main.getByRole('link', { name: 'What failed' }).first().click();
  await expect(page).toHaveURL(/trigger=manual/);
  await page.goto('/dashboard/runs');
  await main.getByLabel('Contains the text').fill('harbour logistics');
  await main.getByRole('button', { name: 'Filter' }).click();
  await expect(page).toHaveURL(/q=harbour/);
  await expect(
    main
      .getByRole('row')
      .getByText(/Harbour Logistics/)
      .first(),
  ).toBeVisible();
  await main.getByLabel('Contains the text').fill('nobody wrote this');
  await main.getByRole('button', { name: 'Filter' }).click();
  await expect(main.getByText('No results found')).toBeVisible();
  await expect(main.getByLabel('Contains the text')).toHaveValue('nobody wrote this');
  const file = await page.request.get('/dashboard/tables/runs?status=failed');
  expect(await file.text()).toMatch(/^\uFEFFrun_id,number,subject,workflow,/);
  expect((await page.request.get('/dashboard/runs?cost=1')).status()).toBe(400);
});

test('an ended run continues from a step with changed data, once the difference was seen', async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  const workflow = await findLink(page, '/dashboard/workflows?q=Payment%20screening', '/dashboard/workflows');
  await page.goto(`/dashboard/runs?status=completed&workflow=${workflow.split('/').at(-1)}`);
  await main.getByRole('row').filter({ hasText: 'Payment screening' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await page.goto(`${run}?step=checks%2Fpayee%2Fscreen`);
  await main.getByRole('link', { name: /changed data: Screen the payee/ }).click();
  const data = main.getByRole('textbox', { name: /^Input of/ });
  const payee = withScripts() ? 'Petra Miller' : 'Paul Miller';
  const text = await data.inputValue();
  const show = main.getByRole('button', { name: 'Show the difference' });
  await data.fill(`${text} and more`);
  await show.click();
  await expect(main.getByText(/not valid JSON/).first()).toBeVisible();
  await expect(data).toHaveValue(`${text} and more`);
  await data.fill(text.replace(/: "[^"]*"/, ': 7'));
  await show.click();
  await expect(main.getByText(/does not match the schema/).first()).toBeVisible();
  await data.fill(text.replace(/: "[^"]*"/, `: "${payee}"`));
  await show.click();
  await expect(main.getByRole('region', { name: 'What changes' }).getByText(payee).last()).toBeVisible();
  await main.getByRole('button', { name: 'Start the run' }).click();
  await expect(page).toHaveURL((url) => url.href !== run && /runs\/[0-9a-f-]{36}$/.test(url.pathname));
  await expect(main.getByText('Continued from run')).toBeVisible();
});

test('an error way and a wait are built in the editor, whose picture opens steps and marks what publishing would change', {
  tag: '@rare',
}, async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  const main = page.locator('main');
  await page.getByLabel('Name', { exact: true }).fill(`Error way ${withScripts() ? 'with' : 'without'} scripts`);
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  const editor = page.url();
  const add = async (place: 'first' | 'last' | number, kind: string, name: string) => {
    const at = <T extends { first(): T; last(): T; nth(n: number): T }>(found: T) =>
      place === 'first' ? found.first() : place === 'last' ? found.last() : found.nth(place);
    await at(main.getByLabel('Kind of step')).selectOption({ label: kind });
    await at(main.getByLabel('What it does')).fill(name);
    await at(main.getByRole('button', { name: 'Add step' })).click();
    await expect(main.getByText(name, { exact: true }).first()).toBeVisible();
  };
  await add('last', 'Error handling', 'With a way out');
  await add('first', 'Transform', 'What may fail');
  await add(1, 'Transform', 'What then happens');
  await main
    .getByRole('region', { name: 'Picture' })
    .getByRole('link', { name: /^Transform: What may fail/ })
    .click();
  await expect(main.getByRole('textbox', { name: 'Expression' })).toBeVisible();
  if (withScripts()) await scriptsArrive(page);
  await main.getByRole('textbox', { name: 'Expression' }).fill('$sum(["no number"])');
  await main.getByRole('button', { name: 'Save step' }).click();
  await expect(page.getByText(/^Step saved/).first()).toBeVisible();
  await main.getByRole('link', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();
  const workflow = editor.replace(/\/edit$/, '');
  await page.goto(`${workflow}/run`);
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(async () => {
    await page.goto(run);
    await main
      .getByRole('link', { name: /With a way out/ })
      .first()
      .click({ timeout: 1_000 });
    await expect(main.getByText(/so the error steps ran/)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.goto(editor);
  await add('last', 'On failure or cancel', 'Give everything back');
  await add('last', 'Wait', 'Cooling-off period');
  await expect(main.getByRole('region', { name: 'Picture' }).getByRole('link', { name: /Cooling-off period.*Added/ })).toBeVisible();
  // Before publishing: what would change, in the picture and as a list, and what still keeps it from being published.
  await main.getByRole('link', { name: 'Publish', exact: true }).click();
  await expect(main.getByRole('heading', { level: 1, name: /^Publish version 2 of Error way/ })).toBeVisible();
  await expect(main.locator('.flow-card[data-change="added"]')).toHaveCount(2);
  await expect(main.getByRole('table')).toContainText('Cooling-off period');
  await expect(main.getByText('This workflow cannot be published yet')).toBeVisible();
  await expect(main.getByRole('button', { name: /^Publish version/ })).toHaveCount(0);
  await expectAccessible(page);
});

test('a run waits for an event, and goes on with what another system sends to the address that it passed on', async ({ page, request }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  const main = page.locator('main');
  await page.getByLabel('Name', { exact: true }).fill(`Event ${withScripts() ? 'with' : 'without'} scripts`);
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  const workflow = page.url().replace(/\/edit$/, '');
  await page.goto(`${workflow}/edit/json`);
  const steps = [
    { id: 'tell', name: 'Pass the address on', kind: 'transform', expression: '=run.callbacks.paid' },
    { id: 'paid', name: 'Payment comes in', kind: 'wait', mode: 'event', seconds: 3600 },
    { id: 'say', name: 'Payment came in', kind: 'message', to: ['starter'], text: '="Paid: " & $string(steps.paid.body.amount)' },
    {
      id: 'again',
      name: 'Count to three',
      kind: 'repeat',
      until: '=steps.count = 3',
      branches: [{ label: 'round', steps: [{ id: 'count', name: 'Count', kind: 'transform', expression: '=(last ? last : 0) + 1' }] }],
    },
  ];
  const document = {
    format: 'quorate.workflow/1',
    input: [],
    steps,
    output: '={"paid": steps.paid.body.amount, "rounds": steps.again.rounds}',
  };
  if (withScripts()) await scriptsArrive(page);
  await main.getByRole('textbox').fill(JSON.stringify(document));
  await main.getByRole('button', { name: 'Save document' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();
  await page.goto(`${workflow}/run`);
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(async () => {
    await page.goto(`${run}?step=paid`);
    await expect(main.getByText(/Waits for an event/).first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.goto(`${run}?step=tell`);
  const [address = ''] = /https?:\/\/[^\s"<&]+\/callbacks\/[\w/-]+/.exec(await page.content()) ?? [];
  const sent = await request.post(new URL(address).pathname, { data: { amount: 42 }, headers: { Origin: 'https://pay.example' } });
  expect([sent.status(), await sent.json()]).toEqual([202, { state: 'received' }]);
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText('Completed').first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await page.content()).toMatch(/42/);
  // Each of the steps inside is drawn as it stands.
  await expect(main.locator('.flow-card[data-state="success"]')).toHaveCount(5);
  await expectAccessible(page);
  await page.goto('/dashboard/notifications?show=message');
  const told = main.getByRole('link', { name: /^Payment came in: a message from a run of Event/ }).first();
  await expect(told).toBeVisible();
  await expectAccessible(page);
  await told.click();
  await expect(page).toHaveURL(run);
});

test('several runs are cancelled or tried again at once, after a look at what becomes of each', { tag: '@rare' }, async ({ page }) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  const make = async (name: string, steps: object[]) => {
    await page.goto('/dashboard/workflows/new');
    await page.getByLabel('Name', { exact: true }).fill(`${name} ${withScripts() ? 'with' : 'without'} scripts`);
    await main.getByRole('button', { name: 'Create workflow' }).click();
    await expect(page).toHaveURL(/\/edit$/);
    const workflow = page.url().replace(/\/edit$/, '');
    await page.goto(`${workflow}/edit/json`);
    if (withScripts()) await scriptsArrive(page);
    await main.getByRole('textbox').fill(JSON.stringify({ format: 'quorate.workflow/1', input: [], steps, output: '' }));
    await main.getByRole('button', { name: 'Save document' }).click();
    await expect(page).toHaveURL(/\/edit$/);
    await publishDraft(page);
    await expect(main.getByText('Version 1').first()).toBeVisible();
    return workflow;
  };
  const start = async (workflow: string) => {
    await page.goto(`${workflow}/run`);
    await main.getByRole('button', { name: 'Start run' }).click();
    await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  };
  const waits = await make('Several wait', [{ id: 'rest', name: 'Rest', kind: 'wait', seconds: 3_600 }]);
  await start(waits);
  await start(waits);
  const list = `/dashboard/runs?workflow=${waits.split('/').at(-1)}`;
  await page.goto(list);
  const boxes = main.getByRole('checkbox', { name: /^Select: Several wait/ });
  await expect(boxes).toHaveCount(2);
  if (withScripts()) await scriptsArrive(page);
  // Nothing is ticked yet.
  await main.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(main.getByText('No runs selected')).toBeVisible();
  await main.getByRole('link', { name: 'Back to the runs' }).click();
  await expect(page).toHaveURL(new RegExp(`${list.replace('?', '\\?')}$`));
  await expect(boxes).toHaveCount(2);
  if (withScripts()) {
    await scriptsArrive(page);
    await main.getByRole('checkbox', { name: 'Select all on this page' }).check();
  } else for (const box of await boxes.all()) await box.check();
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(main.getByText('Will be cancelled')).toHaveCount(2);
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Cancel runs: 2' }).click();
  await expect(page.getByText('Runs being cancelled: 2. Not changed: 0.').first()).toBeVisible();
  await expect(async () => {
    await page.goto(list);
    await expect(main.getByRole('cell', { name: 'Cancelled' })).toHaveCount(2, { timeout: 1_000 });
  }).toPass();

  const fails = await make('Several fail', [{ id: 'bad', name: 'Bad', kind: 'transform', expression: '$error("no")' }]);
  await start(fails);
  await expect(async () => {
    await page.goto(`/dashboard/runs?workflow=${fails.split('/').at(-1)}`);
    await expect(main.getByRole('cell', { name: 'Failed' })).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await main.getByRole('checkbox', { name: /^Select: Several fail/ }).check();
  await main.getByRole('button', { name: 'Retry the failed step' }).click();
  await expect(main.getByText('Will start again from the failed step')).toBeVisible();
  await main.getByRole('button', { name: 'Start runs: 1' }).click();
  await expect(page.getByText('Runs started again: 1. Not started: 0.').first()).toBeVisible();
  await expect(main.getByRole('checkbox', { name: /^Select: Several fail/ })).toHaveCount(2);
});
