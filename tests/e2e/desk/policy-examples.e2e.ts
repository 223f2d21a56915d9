import { expect, expectAccessible, sendRefused, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

const TOOL = 'quorate-tools/compare_dates';

test('an administrator writes a rule on an amount with an example by forms, and it is published, held by two', { tag: '@rare' }, async ({
  page,
  secondPage,
}) => {
  const name = `Long deadlines ${withScripts() ? 'with' : 'without'} scripts`;
  await signIn(page, 'admin');
  const main = page.locator('main');
  await page.goto('/dashboard/policies/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await main.getByRole('button', { name: 'Create policy' }).click();

  // A rule about a field of one tool: the fields come by a button, and what was typed stays.
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('radio', { name: 'Approval required' }).check();
  await page.getByLabel('Approvers needed').fill('2');
  await page.getByLabel('Reason', { exact: true }).fill('Two people look at deadlines of more than 100 days.');
  await page.getByLabel('Short name').fill('long_deadline');
  await page.getByLabel('Tool', { exact: true }).selectOption(TOOL);
  await page.getByRole('button', { name: 'Show its fields' }).click();
  const field = page.getByRole('group', { name: 'Field 1' });
  await field.getByLabel('Field 1').selectOption({ label: 'within_days (number · from 0 · may be missing)' });
  await expect(page.getByLabel('Short name')).toHaveValue('long_deadline');
  await field.getByLabel('Comparison').selectOption('is over');
  await field.getByLabel('Number or name').fill('many');
  await sendRefused(page.getByRole('button', { name: 'Save rule' }));
  await field.getByLabel('Number or name').fill('100');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save rule' }).click();
  const text = page.getByLabel('Rules in Cedar');
  await expect(text).toHaveValue(/context\.input\.within_days\.greaterThan\(decimal\("100\.0"\)\)/);
  await expect(main.getByText('within_days is over 100')).toBeVisible();

  // An example that fails holds the publication up, and is named.
  await page.getByRole('button', { name: 'Add an example' }).click();
  await expect(page.getByLabel('Call', { exact: true })).toHaveValue(TOOL);
  await page.getByLabel('Example', { exact: true }).fill('A year');
  await page.getByLabel('Expected verdict').selectOption('allow');
  await page.getByLabel('Input', { exact: false }).first().fill('{"from": "2026-01-01", "to": "2026-02-01", "within_days": 365}');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save example' }).click();
  await expect(main.getByText('Fails', { exact: true })).toBeVisible();
  await page.getByLabel('Reason to publish').fill('Long deadlines went wrong.');
  await sendRefused(page.getByRole('button', { name: 'Ask to publish', exact: true }));
  await expect(main.getByText('The example “A year” fails').first()).toBeVisible();
  await page.getByRole('button', { name: 'Edit example A year' }).click();
  await page.getByLabel('Expected verdict').selectOption('require_approval');
  await page.getByRole('button', { name: 'Save example' }).click();
  await expect(main.getByText('Passes', { exact: true })).toBeVisible();
  await page.getByLabel('Reason to publish').fill('Long deadlines went wrong.');
  await page.getByRole('button', { name: 'Ask to publish', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Publish the policy “${name}”` })).toBeVisible();

  // Whoever decides sees the example and what the policy says to it.
  const approver = await signIn(secondPage, 'approver');
  const desk = secondPage.locator('main');
  await secondPage.goto(page.url());
  await expect(desk.getByRole('heading', { name: 'Examples of the policy' })).toBeVisible();
  await expect(desk.getByText('Passes', { exact: true })).toBeVisible();
  await expect(desk.getByRole('region', { name: 'How the text changes' })).toContainText('A year → require_approval');
  await expectAccessible(secondPage);
  await secondPage.getByLabel('Your password').fill(approver.password);
  await secondPage.getByRole('button', { name: 'Approve the change' }).click();
  await expect(desk.getByText('Approved and applied.', { exact: true })).toBeVisible();
});
