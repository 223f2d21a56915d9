import { demoAccount, expect, expectAccessible, sendRefused, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

const RULE = `@id("nothing_large")
@verdict("require_approval")
@reason("A person looks at large sums.")
forbid(principal, action, resource) when { context.risk == "high" };`;

test('an administrator asks for a policy to be in force and to be paused, and an approver decides on each', async ({
  page,
  secondPage,
}) => {
  const name = `Large sums ${withScripts() ? 'with' : 'without'} scripts`;
  await signIn(page, 'admin');
  const main = page.locator('main');
  await page.goto('/dashboard/policies/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await main.getByRole('button', { name: 'Create policy' }).click();
  await page.getByLabel('Rules in Cedar').fill(RULE);
  await sendRefused(page.getByRole('button', { name: 'Ask to publish', exact: true }));
  await expect(page.getByLabel('Rules in Cedar')).toHaveValue(RULE);
  await expect(main.getByText('Give a reason for the person who decides').first()).toBeVisible();
  await page.getByLabel('Reason to publish').fill('The board wants a second look.');
  await page.getByRole('button', { name: 'Ask to publish', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Publish the policy “${name}”` })).toBeVisible();
  // The requester cannot decide.
  await expect(main.getByText('You asked for this change. Another admin or approver has to decide.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve the change' })).toHaveCount(0);
  const asked = page.url();

  const approver = await signIn(secondPage, 'approver');
  const desk = secondPage.locator('main');
  await secondPage.goto('/dashboard/approvals');
  await desk.getByRole('link', { name: `Publish the policy “${name}”` }).click();
  await expect(desk.getByText('The board wants a second look.')).toBeVisible();
  await expect(desk.getByRole('region', { name: 'How the text changes' })).toContainText('nothing_large');
  // The replay on past runs is shown before anyone approves.
  await expect(desk.getByRole('heading', { name: 'What the policy would have decided on past runs' })).toBeVisible();
  await expect(desk.getByText('Decided again', { exact: true })).toBeVisible();
  await expectAccessible(secondPage);
  await secondPage.getByLabel('Your password').fill('not it');
  await sendRefused(secondPage.getByRole('button', { name: 'Approve the change' }));
  await secondPage.getByLabel('Signed as').selectOption('Responsible');
  await secondPage.getByLabel('Your password').fill(approver.password);
  await secondPage.getByRole('button', { name: 'Approve the change' }).click();
  await expect(desk.getByText('Approved and applied.', { exact: true })).toBeVisible();
  await desk.getByRole('link', { name: 'Signed record' }).click();
  for (const said of [demoAccount('approver').name, 'Responsible', 'Signed in, and the password typed for this signature'])
    await expect(desk.getByText(said, { exact: true }).first()).toBeVisible();
  await expectAccessible(secondPage);

  await page.goto(asked);
  await main.getByRole('link', { name, exact: true }).click();
  await expect(main.getByText('Active', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Reason', { exact: true }).fill('It holds up payments.');
  await page.getByRole('button', { name: 'Ask to pause', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Pause the policy “${name}”` })).toBeVisible();
  await secondPage.goto(page.url());
  await secondPage.getByLabel('Your password').fill(approver.password);
  await sendRefused(secondPage.getByRole('button', { name: 'Reject', exact: true }));
  await secondPage.getByLabel('Reason', { exact: true }).fill('Payments to listed names would go out.');
  await secondPage.getByLabel('Your password').fill(approver.password);
  await secondPage.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(desk.getByText('Rejected. Nothing changed.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(main.getByText('Payments to listed names would go out.')).toBeVisible();
  await main.getByRole('link', { name, exact: true }).click();
  await expect(main.getByText('Active', { exact: true }).first()).toBeVisible();

  // An auditor finds who asked and who decided.
  await signIn(secondPage, 'auditor');
  await secondPage.goto('/dashboard/changes');
  await desk.getByRole('link', { name: `Pause the policy “${name}”` }).click();
  await expect(desk.getByText(demoAccount('approver').name).first()).toBeVisible();
  await secondPage.goto('/dashboard/changes?lng=ar');
  await expectAccessible(secondPage);
  await secondPage.goto('/dashboard/changes?lng=en');
});

test('an administrator breaks the glass, everybody is told, and an approver undoes it', { tag: '@rare' }, async ({ page, secondPage }) => {
  const name = `At night ${withScripts() ? 'with' : 'without'} scripts`;
  const admin = await signIn(page, 'admin');
  const main = page.locator('main');
  await page.goto('/dashboard/policies/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await main.getByRole('button', { name: 'Create policy' }).click();
  await page.getByLabel('Rules in Cedar').fill(RULE);
  await page.getByLabel('Reason to publish').fill('Nobody else is awake.');
  await page.getByRole('button', { name: 'Ask to publish', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Publish the policy “${name}”` })).toBeVisible();
  const asked = page.url();
  await main.getByText('Break-glass', { exact: true }).click();
  await expect(main.getByText('All approvers and auditors are alerted', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Your password').fill(admin.password);
  await sendRefused(page.getByRole('button', { name: 'Put into effect alone' }));
  await page.getByLabel('Reason for break-glass').fill('Large sums leave tonight.');
  await page.getByLabel('Duration').selectOption('4');
  await page.getByLabel('Your password').fill(admin.password);
  await page.getByRole('button', { name: 'Put into effect alone' }).click();
  await expect(main.getByText('In effect without a second person’s approval', { exact: true })).toBeVisible();
  await expectAccessible(page);

  // The alarm leads an approver to the change, where it can be ended.
  const approver = await signIn(secondPage, 'approver');
  const desk = secondPage.locator('main');
  await secondPage.goto('/dashboard/notifications');
  await expect(desk.getByText(`used break-glass: the change to “${name}”`, { exact: false })).toBeVisible();
  await secondPage.goto('/dashboard/approvals');
  await desk.getByRole('link', { name: `Publish the policy “${name}”` }).click();
  await expect(desk.getByText('Large sums leave tonight.')).toBeVisible();
  await secondPage.getByLabel('Reason', { exact: true }).fill('Morning has come.');
  await secondPage.getByLabel('Your password').fill(approver.password);
  await secondPage.getByRole('button', { name: 'End and undo' }).click();
  await expect(desk.getByText('Ended. The previous state is restored.', { exact: true })).toBeVisible();
  await page.goto(asked);
  await main.getByRole('link', { name, exact: true }).click();
  await expect(main.getByText('Not published yet', { exact: true })).toBeVisible();

  // The log marks what was recorded meanwhile.
  await signIn(secondPage, 'auditor');
  await secondPage.goto('/dashboard/audit?action=breakGlass.started');
  await desk.getByRole('link', { name: 'Break-glass started' }).first().click();
  await expect(desk.getByText('Break-glass was active', { exact: true })).toBeVisible();
  await expect(desk.getByRole('link', { name: 'Show the change' })).toBeVisible();
});
