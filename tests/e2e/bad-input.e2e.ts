import type { Page } from '@playwright/test';
import { expect, scriptsArrive, sendRefused, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { findLink, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

const main = (page: Page) => page.locator('main');
const field = (page: Page, label: string) => main(page).getByLabel(label).first();

/** Sends a form that is refused: its page stands as before, the summary leads to each field, and each field says what is wrong. */
async function expectRefused(page: Page, button: string, errors: Record<string, string>) {
  const title = await page.title();
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  await sendRefused(main(page).getByRole('button', { name: button, exact: true }));
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading ?? '');
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary.getByRole('link')).toHaveCount(Object.keys(errors).length);
  for (const [label, text] of Object.entries(errors)) {
    await summary.getByRole('link', { name: `${label}: ${text}` }).click();
    // Of a part of a field its own label comes last.
    const named = field(page, label.split(': ').at(-1) ?? '');
    await expect(named).toBeFocused();
    await expect(named).toHaveAccessibleDescription(new RegExp(text.replaceAll('.', '\\.')));
  }
}

test('signing up', async ({ page }) => {
  await page.goto('/auth?mode=sign-up');
  await field(page, 'Your name').fill('Ada Berger');
  await field(page, 'E-mail').fill('ada at bank');
  await field(page, 'Password').fill('short');
  await expectRefused(page, 'Sign Up', {
    'E-mail': 'Enter an e-mail address like name@example.com',
    Password: 'Enter at least 6 characters',
  });
  await expect(field(page, 'Your name')).toHaveValue('Ada Berger');
  await expect(field(page, 'E-mail')).toHaveValue('ada at bank');
});

test('writing a workflow', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await test.step('a workflow has a name', async () => {
    await page.goto('/dashboard/workflows/new');
    await field(page, 'Description').fill('What I had already written');
    await expectRefused(page, 'Create workflow', { Name: 'This field is required' });
    await expect(field(page, 'Description')).toHaveValue('What I had already written');
    await field(page, 'Name').fill('Badly written');
    await field(page, 'Start from').selectOption({ label: 'Records request' });
    await page.getByRole('button', { name: 'Create workflow' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Badly written' })).toBeVisible();
    return new URL(page.url()).pathname.replace(/\/edit$/, '');
  });
  await test.step('a step has numbers and a short name', async () => {
    await page.goto(`${workflow}/edit/step/redact`);
    await field(page, 'What it does').fill('Withhold names');
    await field(page, 'Short name').fill('Not Short');
    await field(page, 'Timeout per attempt').fill('soon');
    await field(page, 'Retries').fill('99');
    await expectRefused(page, 'Save step', {
      'Short name': 'Use small letters, digits and underscores, beginning with a letter',
      'Timeout per attempt': 'Enter a number',
      Retries: 'Enter 10 or less',
    });
    await expect(field(page, 'What it does')).toHaveValue('Withhold names');
    await expect(field(page, 'Timeout per attempt')).toHaveValue('soon');
  });
  await test.step('a document can be read', async () => {
    await page.goto(`${workflow}/edit/json`);
    // React sets the text of a text area again as it takes it over, which ends a selection.
    if (withScripts()) await scriptsArrive(page);
    const document = field(page, 'Document');
    const good = JSON.parse(await document.inputValue());
    const unreadable = { Document: 'This is not a valid workflow' };
    await document.fill('{ "steps": [');
    await expectRefused(page, 'Save document', unreadable);
    await expect(document).toHaveValue('{ "steps": [');
    const long = JSON.stringify({ ...good, output: 'x'.repeat(2_000_000) });
    await document.fill(long);
    await expectRefused(page, 'Save document', unreadable);
    await expect(main(page).getByText(/^The document has 2,?00\d,?\d{3} bytes/)).toBeVisible();
    expect(await document.inputValue()).toHaveLength(long.length);
    // What can be read is kept as a draft, with each place that is wrong; it cannot be published.
    const [elapsed, assess, redact, release] = good.steps;
    const bad = [
      { ...elapsed, capability: 'guess_dates' },
      { ...assess, input: { text: '=steps.redact.text' } },
      { ...redact, input: { text: '=steps.assess.summary' } },
      release,
    ];
    await document.fill(JSON.stringify({ ...good, steps: bad }, null, 2));
    await page.getByRole('button', { name: 'Save document' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Badly written' })).toBeVisible();
    await page.getByRole('link', { name: 'Publish', exact: true }).click();
    await expect(main(page).getByText('This workflow cannot be published yet')).toBeVisible();
    await expect(main(page)).toContainText('quorate-tools does not offer guess_dates');
    await expect(main(page)).toContainText('These steps wait for one another: ');
    await expect(main(page).getByRole('button', { name: /^Publish version/ })).toHaveCount(0);
  });
});

test('starting a run', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Payment%20screening', '/dashboard/workflows');
  await page.goto(`${workflow}/run`);
  const amount = main(page).getByRole('textbox', { name: 'Amount' });
  await amount.fill('a lot');
  await field(page, 'Currency').selectOption('CHF');
  await field(page, 'Purpose of the payment').fill('Invoice 4711');
  await field(page, 'Names to screen against').fill('Anna Example\nJohn Sample');
  await expectRefused(page, 'Start run', { Payee: 'This field is required', 'Amount: Amount': 'Enter an amount' });
  await expect(amount).toHaveValue('a lot');
  await expect(field(page, 'Currency')).toHaveValue('CHF');
  await expect(field(page, 'Names to screen against')).toHaveValue('Anna Example\nJohn Sample');
});

test('connecting a server', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/plugins/new');
  await field(page, 'Name').fill('Core banking');
  await field(page, 'Address').fill('core banking');
  await expectRefused(page, 'Connect', { Address: 'Enter a full web address, beginning with https://' });
  await field(page, 'Address').fill('https://10.0.0.1/mcp');
  await expectRefused(page, 'Connect', {
    Address: 'This address does not exist, does not use https, or leads into a private',
  });
  await expect(field(page, 'Name')).toHaveValue('Core banking');
  await expect(field(page, 'Address')).toHaveValue('https://10.0.0.1/mcp');
});

test('inviting a person', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/dashboard/admin/members/invite');
  await field(page, 'E-mail').fill('ben at bank');
  await page.getByLabel(/^Approver/).check();
  await expectRefused(page, 'Send invitation', { 'E-mail': 'Enter an e-mail address like name@example.com' });
  await expect(field(page, 'E-mail')).toHaveValue('ben at bank');
  await expect(page.getByLabel(/^Approver/)).toBeChecked();
});

test('rejecting without a reason', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const { approval } = await startWaitingRun(page);
  await signIn(secondPage, 'approver');
  await secondPage.goto(approval);
  await expectRefused(secondPage, 'Reject', { Reason: 'Say why you reject' });
});
