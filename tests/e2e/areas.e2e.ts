import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, publishDraft, sendRefused, signIn, takesUpTo, test } from '#tests/e2e/support/journey.ts';

const main = (page: Page) => page.locator('main');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const tool = (id: string, name: string, capability: string, input: object) => {
  const call = { kind: 'tool', connection: 'quorate-tools', capability, task: '', input };
  return { id, name, timeoutSeconds: 30, retries: 0, backoffSeconds: 1, onError: 'fail', ...call };
};

/** A workflow of two steps, of which the second cannot do what is no expression. */
async function publishFee(page: Page, name: string): Promise<string> {
  await page.goto('/dashboard/workflows/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await expect(heading(page, `Edit ${name}`)).toBeVisible();
  await page.getByRole('link', { name: 'Edit as JSON' }).click();
  const document = page.getByLabel('Document');
  await document.fill(
    JSON.stringify({
      format: 'quorate.workflow/1',
      input: [{ name: 'text', title: 'Expression', type: 'text', required: true, options: [], help: '' }],
      steps: [
        tool('redact', 'Redact the text', 'redact_text', { text: '=input.text' }),
        tool('sum', 'Compute the fee', 'evaluate_arithmetic', { expression: '=input.text' }),
      ],
      output: '',
    }),
  );
  await page.getByRole('button', { name: 'Save document' }).click();
  await expect(page.getByText('Document saved.').first()).toBeVisible();
  await publishDraft(page);
  await expect(page.getByRole('heading', { name: 'Version 1, in force' })).toBeVisible();
  return new URL(page.url()).pathname;
}

async function untilFailed(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link', { name: 'Retry the failed step' })).toBeVisible({ timeout: 3_000 });
  }).toPass({ intervals: [200], timeout: 60_000 });
  return new URL(page.url()).pathname;
}

test('a builder takes up a failed run at the step that failed, and an auditor reads what came of it', async ({ page, secondPage }) => {
  takesUpTo(400_000);
  const name = `Fee ${randomUUID().slice(0, 8)}`;
  await signIn(page, 'builder');
  const workflow = await publishFee(page, name);

  await page.getByRole('link', { name: 'Run', exact: true }).first().click();
  await page.getByLabel('Expression').fill('12 apples');
  await page.getByRole('button', { name: 'Start run' }).click();
  const failed = await untilFailed(page);
  await expect(main(page)).toContainText('The expression cannot be computed');
  await page.getByRole('link', { name: 'Retry the failed step' }).click();
  await expect(main(page)).toContainText(/Kept, not called again.*Redact the text.*Runs again/s);
  await page.getByRole('button', { name: 'Start the run' }).click();
  await expect(page).not.toHaveURL(new RegExp(`${failed}`));
  const retried = await untilFailed(page);
  await page.goto(`${retried}?step=redact`);
  await expect(main(page)).toContainText(`Kept from run ${failed.split('/').at(-1)}: not called again.`);

  await page.goto('/dashboard');
  const row = page.getByRole('row', { name }).first();
  await expect(row.getByRole('link', { name: 'Configure' })).toHaveAttribute('href', `${workflow}/edit`);
  await expect(row.getByRole('link', { name: 'Restart' })).toHaveAttribute('href', `${retried}/again`);

  await page.goto(workflow);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await page.goto('/dashboard/workflows?status=active');
  await page.getByLabel('Search by name or description').fill(name);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(main(page).getByText('No results found')).toBeVisible();
  await main(page)
    .getByRole('link', { name: /^Inactive\s*1$/ })
    .click();
  await expect(page.getByRole('row', { name })).toContainText(/Inactive.*2.*0%/s);

  await signIn(secondPage, 'auditor');
  const audit = secondPage;
  await audit.goto('/dashboard/ai-reasoning');
  await audit.getByLabel('Workflow').selectOption({ label: name });
  await audit.getByRole('button', { name: 'Filter', exact: true }).click();
  const decided = audit.getByRole('row').filter({ hasText: 'Compute the fee' });
  await expect(decided).toHaveCount(2);
  await decided.first().getByRole('link').first().click();
  await expect(heading(audit, 'Decision on evaluate_arithmetic')).toBeVisible();
  await expect(main(audit)).toContainText('Facts alone: policies are never shown the payload.');

  await audit.goto('/dashboard/analytics?window=24h');
  await expect(audit.getByRole('table', { name: 'By workflow' }).getByRole('row', { name })).toContainText('0%');
  const downloading = audit.waitForEvent('download');
  await audit.getByRole('link', { name: /^Download CSV\s*: By workflow/ }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain(name);

  await audit.goto('/dashboard/audit');
  await audit.getByRole('combobox', { name: 'Action' }).selectOption('run.failed');
  await audit.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(audit.getByRole('row', { name })).toHaveCount(2);
  await audit.getByLabel('Name of the view').fill(`Failures ${name}`);
  await audit.getByRole('button', { name: 'Save this view' }).click();
  await expect(audit.getByText('View saved.').first()).toBeVisible();
  await expect(audit.getByRole('link', { name: `Failures ${name}` })).toHaveAttribute('href', /action=run\.failed/);

  await audit.goto('/dashboard/policies/compliance');
  await expect(audit.getByRole('row', { name: 'Explained decisions' })).toContainText('Compliant');
  await main(audit).getByRole('link', { name: 'Laws and standards', exact: true }).click();
  await main(audit).getByRole('heading', { level: 3, name: 'European Union' }).click();
  await main(audit).getByRole('link', { name: 'GDPR', exact: true }).click();
  await expect(audit.getByRole('row', { name: 'Article 22' })).toContainText('Human oversight');
});

test('an administrator tries a policy on what has happened, and a payment that is declined changes no plan', async ({ page }) => {
  const name = `Nothing live ${randomUUID().slice(0, 8)}`;
  const rule = `@id("nothing_live")
@verdict("deny")
@reason("Nothing is called in earnest.")
forbid(principal, action, resource) when { context.mode == "live" };`;
  await signIn(page, 'admin');
  await page.goto('/dashboard/policies/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await main(page).getByRole('button', { name: 'Create policy' }).click();
  await expect(heading(page, `Edit ${name}`)).toBeVisible();
  const text = page.getByLabel('Rules in Cedar');
  // It begins with nothing that its author did not write, and cannot go into force like that.
  await expect(text).toHaveValue('');
  await expect(main(page).getByText('No rules yet.')).toBeVisible();
  await sendRefused(page.getByRole('button', { name: 'Publish' }));
  await expect(main(page).getByRole('alert')).toContainText('Add at least one rule before you publish');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await expect(page).toHaveURL(/\/edit\/new-rule$/);
  await page.goto(new URL(page.url()).pathname.replace(/\/new-rule$/, ''));
  await text.fill(rule.replace('context.mode', 'context.moon'));
  await sendRefused(page.getByRole('button', { name: 'Publish' }));
  await expect(text).toHaveValue(/context\.moon/);
  await text.fill(rule);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(main(page).getByText('The draft is valid.')).toBeVisible();
  await page.goto(new URL(page.url()).pathname.replace(/edit$/, 'replay'));
  await expect(main(page)).toContainText('as if the draft were in force. Nothing is executed.');
  await page.getByRole('button', { name: 'Start replay' }).click();
  await expect(main(page)).toContainText('Would change');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'By verdict' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('link', { name: 'Download CSV' })).toBeVisible();

  await page.goto('/dashboard/admin/billing');
  await page.getByRole('link', { name: 'Change to Professional' }).click();
  await page.getByLabel('The payment is declined').check();
  await page.getByRole('button', { name: 'Change to Professional' }).click();
  await expect(main(page)).toContainText('The payment was declined. Your plan stays as it was');
  await page.goto('/dashboard/admin/billing');
  await expect(page.getByRole('row', { name: 'Enterprise' })).toContainText('In force');
});

test('a builder sees what goes over the wire, where a task would go, and how it is explained', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/dev-console');
  await page.getByRole('link', { name: 'Open the inspector' }).click();
  await page.getByLabel('What to call').selectOption({ label: 'Quorate tools · Evaluate arithmetic' });
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByLabel('Input', { exact: true }).fill('{"expression": "6 * 7"}');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Frames' })).toBeVisible();
  await expect(main(page)).toContainText('"method": "tools/call"');
  await expect(main(page)).toContainText('42');

  await page.goto('/dashboard/ai-orchestration');
  await page.getByRole('textbox', { name: 'Task' }).fill('Detect personal data in a text');
  await page.getByRole('textbox', { name: 'Inputs' }).fill('text');
  await page.getByRole('button', { name: 'Route' }).click();
  await expect(page.getByRole('row', { name: /detect_personal_data/ })).toContainText('Chosen');

  await page.goto('/dashboard/help');
  await page.getByLabel('Search the help').fill('halt');
  await main(page).getByRole('button', { name: 'Search' }).click();
  await main(page).getByRole('link', { name: 'Halt everything' }).click();
  await expect(main(page).getByRole('img').first()).toBeVisible();
});
