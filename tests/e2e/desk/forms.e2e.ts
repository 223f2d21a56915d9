import mammoth from 'mammoth';
import { expect, expectAccessible, publishDraft, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
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
  await expect(main.getByText('Standing desk', { exact: true })).toBeVisible();
  await expect(main.getByText(/^Standing desk.* · #\d+$/)).toBeVisible();
  await expectAccessible(page);
  // It is counted beside the approvals, and someone else can be asked in one's place, with a reason.
  await expect(page.getByRole('link', { name: /^Approvals: \d+ waiting|^Approvals \d+ waiting/ })).toBeVisible();
  await main.getByRole('link', { name: 'Pass on' }).click();
  await main.getByRole('button', { name: 'Pass the form on' }).click();
  await expect(main.getByRole('link', { name: 'Reason: This field is required' })).toBeVisible();
  await expectAccessible(page);
  await main.getByRole('link', { name: 'Keep it' }).click();
  await expect(page).toHaveURL(task);
  if (withScripts()) await scriptsArrive(page);
  // A missing value is named, and nothing typed is lost.
  await main.getByLabel('Needed by').fill('2026-12-01');
  if (withScripts()) await expect(main.getByText('Tuesday, December 1, 2026')).toBeVisible();
  await main.getByRole('button', { name: 'Send the answer' }).click();
  await expect(main.getByRole('link', { name: 'Cost centre: This field is required' })).toBeVisible();
  await expect(main.getByLabel('Needed by')).toHaveValue('2026-12-01');
  await main.getByLabel('Cost centre').fill('4711');
  await main.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByText('Answer sent. The run continues.').first()).toBeVisible();
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
  await page.goto(`${run}?step=nothing`);
  await expect(main.getByText(/The run was cancelled\. These steps run before it ends/).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(run);
  if (withScripts()) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await main.getByRole('button', { name: 'Copy: Input' }).click();
    await expect(page.locator('[data-announcer]')).toContainText('Copied: Input');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"Standing desk"');
  }
  await page.goto('/dashboard/notifications?show=message');
  await expect(
    main.getByRole('link', { name: new RegExp(`^Your purchase request was cancelled: a message from a run of ${name}`) }),
  ).toBeVisible();
});

test('a form of lists, groups and money is written in rows and filled in in rows, and a fault names its row', { tag: '@rare' }, async ({
  page,
}) => {
  await signIn(page, 'builder');
  const main = page.locator('main');
  await page.goto('/dashboard/workflows/new');
  await page.getByLabel('Name', { exact: true }).fill(`Rows ${withScripts() ? 'with' : 'without'} scripts`);
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  const workflow = page.url().replace(/\/edit$/, '');
  await page.goto(`${workflow}/edit/json`);
  const steps = [{ id: 'a', name: 'A', kind: 'transform', expression: '$sum(input.lines.price.amount)' }];
  if (withScripts()) await scriptsArrive(page);
  await main.getByRole('textbox').fill(JSON.stringify({ format: 'quorate.workflow/1', steps }));
  await main.getByRole('button', { name: 'Save document' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await page.goto(`${workflow}/edit/input`);
  if (withScripts()) await scriptsArrive(page);
  const line = main.getByRole('group', { name: 'Field 1', exact: true });
  const outer = line.first();
  await outer.getByLabel('Label').fill('Lines');
  await outer.getByLabel('Short name').fill('lines');
  await outer.getByLabel('Type', { exact: true }).selectOption('List');
  await outer.getByLabel('Each entry is').selectOption('Group of fields');
  const members = outer.getByRole('group', { name: 'Fields of the group' });
  await members.getByRole('button', { name: 'Add field' }).click();
  const item = members.getByRole('group', { name: 'Field 1', exact: true });
  // The focus moves to the new row: its first control, or without scripts the row.
  await expect(withScripts() ? item.getByLabel('Label') : item).toBeFocused();
  await expect(outer.getByLabel('Label').first()).toHaveValue('Lines');
  await item.getByLabel('Label').fill('Item');
  await item.getByLabel('Short name').fill('item');
  await members.getByRole('button', { name: 'Add field' }).click();
  const price = members.getByRole('group', { name: 'Field 2', exact: true });
  await price.getByLabel('Label').fill('Price');
  await price.getByLabel('Short name').fill('item');
  await price.getByLabel('Type', { exact: true }).selectOption('Amount of money');
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Save input' }).click();
  await expect(main.getByRole('link', { name: 'Field 1: Field 2: Short name: Another field has this short name' })).toBeVisible();
  await price.getByLabel('Short name').fill('price');
  await main.getByRole('button', { name: 'Save input' }).click();
  await expect(page).toHaveURL(/\/edit$/);

  await page.goto(`${workflow}/run?mode=test`);
  if (withScripts()) await scriptsArrive(page);
  const entry = (number: number) => main.getByRole('group', { name: `Entry ${number}`, exact: true });
  await entry(1).getByLabel('Item').fill('Desk');
  await entry(1).getByLabel('Amount').fill('480,20');
  await entry(1).getByLabel('Currency').selectOption('EUR');
  await main.getByRole('button', { name: 'Add entry' }).click();
  await expect(withScripts() ? entry(2).getByLabel('Item') : entry(2)).toBeFocused();
  await expect(main.getByRole('status').filter({ hasText: 'Entry 2 added' })).toHaveCount(1);
  await entry(2).getByLabel('Item').fill('Chair');
  await entry(2).getByLabel('Amount').fill('much');
  await main.getByRole('button', { name: 'Start test run' }).click();
  await expect(main.getByRole('link', { name: /^Lines, entry 2: Price: Amount: Enter an amount/ })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Lines, entry 2: Price: Currency: Choose one of the options' })).toBeVisible();
  await expect(entry(1).getByLabel('Amount')).toHaveValue('480,20');
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Remove: Lines, Entry 1' }).click();
  await expect(entry(1).getByLabel('Item')).toHaveValue('Chair');
  await expect(entry(2)).toHaveCount(0);
  await entry(1).getByLabel('Amount').fill('95.5');
  await entry(1).getByLabel('Currency').selectOption('CHF');
  // Enter sends the form: it presses no button of a row.
  await entry(1).getByLabel('Item').press('Enter');
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(main.getByText('"Chair"').filter({ visible: true }).first()).toBeVisible();
});

test('a file is sent with the form of a run, kept when something else is missing, read, and a document made of it', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  const main = page.locator('main');
  await page.getByLabel('Name', { exact: true }).fill(`Invoice ${withScripts() ? 'with' : 'without'} scripts`);
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  const workflow = page.url().replace(/\/edit$/, '');
  await page.goto(`${workflow}/edit/json`);
  const document = {
    format: 'quorate.workflow/1',
    input: [
      { name: 'payee', title: 'Payee', type: 'text' },
      { name: 'lines', title: 'Invoice lines', type: 'file' },
    ],
    steps: [
      { id: 'reads', name: 'Read the lines', kind: 'read_document', file: '=input.lines' },
      {
        id: 'letter',
        name: 'Write the letter',
        kind: 'create_document',
        format: 'html',
        fileName: 'Letter',
        template: '# Dear {{ input.payee }}\n\n{{ steps.reads.rows }}',
      },
    ],
    output: '=steps.letter',
  };
  if (withScripts()) await scriptsArrive(page);
  await main.getByRole('textbox').fill(JSON.stringify(document));
  await main.getByRole('button', { name: 'Save document' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();
  await page.goto(`${workflow}/run`);
  await expectAccessible(page);
  if (withScripts()) await scriptsArrive(page);
  const lines = main.getByLabel('Invoice lines');
  // A name that lies about the content is told at the field.
  await main.getByLabel('Payee').fill('<b>Ada</b>');
  await lines.setInputFiles({ name: 'lines.pdf', mimeType: 'application/pdf', buffer: Buffer.from('item,price\nDesk,480\n') });
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(main.getByRole('link', { name: /^Invoice lines: The content is not PDF/ })).toBeVisible();
  await expect(main.getByLabel('Payee')).toHaveValue('<b>Ada</b>');
  // Another field is missing: the file stays.
  await main.getByLabel('Payee').fill(' ');
  await lines.setInputFiles({ name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from('item,price\nDesk,480\n') });
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(main.getByRole('link', { name: 'Payee: This field is required' })).toBeVisible();
  if (!withScripts()) await expect(main.getByText('lines.csv')).toBeVisible();
  await main.getByLabel('Payee').fill('<b>Ada</b>');
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText('Completed').first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  // The file is the result of the whole run, and stands there with its size and hash.
  await page.goto(run);
  await expect(main.getByRole('link', { name: 'Download: Letter.html' })).toBeVisible();
  await expect(main.getByText(/Hash \(SHA-256\) [0-9a-f]{64}/)).toBeVisible();
  await page.goto(`${run}?step=letter`);
  await expectAccessible(page);
  const open = main.getByRole('link', { name: 'Open: Letter.html' }).first();
  const address = (await open.getAttribute('href')) ?? '';
  const shown = await page.request.get(address);
  expect(shown.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining('sandbox; default-src'),
    'x-content-type-options': 'nosniff',
  });
  expect(await shown.text()).toContain('<h1 dir="auto">Dear &lt;b&gt;Ada&lt;/b&gt;</h1>');
  expect(await shown.text()).toContain('<td><bdi>480</bdi></td>');
});

test('several files are sent as a list, a wrong one is told at its entry, and a Word document is made of them', { tag: '@rare' }, async ({
  page,
}) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  const main = page.locator('main');
  await page.getByLabel('Name', { exact: true }).fill(`Notes ${withScripts() ? 'with' : 'without'} scripts`);
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  const workflow = page.url().replace(/\/edit$/, '');
  await page.goto(`${workflow}/edit/json`);
  const read = { id: 'reads', name: 'Read it', kind: 'read_document', file: '=item' };
  const document = {
    format: 'quorate.workflow/1',
    input: [{ name: 'notes', title: 'Notes', type: 'list', of: 'file' }],
    steps: [
      {
        ...{
          id: 'each',
          name: 'Each note',
          kind: 'for_each',
          items: '=input.notes',
          collect: '={"note": item.name, "text": steps.reads.text}',
        },
        branches: [{ label: 'each', steps: [read] }],
      },
      {
        ...{ id: 'letter', name: 'Write it down', kind: 'create_document', format: 'docx', fileName: 'Notes' },
        template: '# All notes\n\n{{ steps.each.results }}',
      },
    ],
    output: '=steps.letter',
  };
  if (withScripts()) await scriptsArrive(page);
  await main.getByRole('textbox').fill(JSON.stringify(document));
  await main.getByRole('button', { name: 'Save document' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await publishDraft(page);
  await expect(main.getByText('Version 1').first()).toBeVisible();
  await page.goto(`${workflow}/run`);
  if (withScripts()) await scriptsArrive(page);
  const file = (number: number) => main.getByRole('group', { name: `Entry ${number}`, exact: true }).locator('input[type=file]');
  const note = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(main.getByRole('link', { name: /^Notes: / })).toBeVisible();
  // Two are chosen at once: the second becomes an entry of its own.
  await file(1).setInputFiles([note('first.txt', 'Dear all'), note('second.pdf', 'no PDF')]);
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(main.getByRole('link', { name: /^Notes, entry 2: The content is not PDF/ })).toBeVisible();
  await expect(main.getByRole('group', { name: 'Entry 1', exact: true })).toContainText('first.txt');
  await expect(main.getByRole('group', { name: 'Entry 2', exact: true })).toContainText('Not accepted: second.pdf');
  await expectAccessible(page);
  await file(2).setInputFiles(note('second.txt', 'Dear none'));
  await main.getByRole('button', { name: 'Add entry' }).click();
  await expect(file(3)).toBeVisible();
  await file(3).setInputFiles([note('third.txt', 'Dear you'), note('fourth.txt', 'Dear them')]);
  await main.getByRole('button', { name: 'Start run' }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = page.url();
  await expect(async () => {
    await page.goto(run);
    await expect(main.getByText('Completed').first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  const download = main.getByRole('link', { name: 'Download: Notes.docx' });
  const made = await (await page.request.get((await download.getAttribute('href')) ?? '')).body();
  const { value } = await mammoth.extractRawText({ buffer: made });
  expect(value.split('\n').filter((line) => line !== '')).toEqual([
    'All notes',
    'note',
    'text',
    'first.txt',
    'Dear all',
    'second.txt',
    'Dear none',
    'third.txt',
    'Dear you',
    'fourth.txt',
    'Dear them',
  ]);
});
