import { expect, openDashboard, sendRefused, signIn, test } from '#tests/e2e/support/journey.ts';

test('an administrator halts everything, and it goes on when an approver says so', async ({ page, secondPage }) => {
  const admin = await signIn(page, 'admin');
  const main = page.locator('main');
  await page.goto('/dashboard/admin/halt');
  await expect(main.getByText('Work continues')).toBeVisible();
  const name = ((await main.getByText(/^It is: /).textContent()) ?? '').replace('It is: ', '');
  const halt = main.getByRole('button', { name: 'Halt everything' });
  await page.getByLabel('Why do you halt it?').fill('The sanctions list is out of date.');
  await page.getByLabel('Type the name of the workspace').fill('Another place');
  await page.getByLabel('Your password').fill(admin.password);
  await sendRefused(halt);
  await expect(page.getByLabel('Why do you halt it?')).toHaveValue('The sanctions list is out of date.');
  await page.getByLabel('Type the name of the workspace').fill(name.toLocaleUpperCase('en'));
  await page.getByLabel('Your password').fill(admin.password);
  await halt.click();
  await expect(main.getByText('Halted since')).toBeVisible();

  // Everyone is told, wherever they are, and led to the reason.
  const approver = await openDashboard(secondPage, 'approver');
  await secondPage.getByRole('link', { name: 'See why, and how it is lifted' }).click();
  await expect(secondPage.locator('main').getByText('The sanctions list is out of date.')).toBeVisible();
  await expect(secondPage.getByRole('button', { name: 'Ask to lift the halt' })).toHaveCount(0);

  await page.getByLabel('Why can work continue?').fill('The list is today’s again.');
  await page.getByLabel('Your password').fill(admin.password);
  await main.getByRole('button', { name: 'Ask to lift the halt' }).click();
  await expect(main.getByText('A request to lift the halt is waiting')).toBeVisible();
  await main.getByRole('link', { name: 'Open the approval' }).click();
  await expect(main.getByText('The list is today’s again.').first()).toBeVisible();
  // Who asks does not decide.
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);

  await secondPage.goto('/dashboard/approvals');
  await secondPage.locator('main').getByRole('link', { name: 'Lift the halt of this workspace' }).first().click();
  await secondPage.getByLabel('Reason', { exact: true }).fill('Compared with the source.');
  await secondPage.getByLabel('Your password').fill(approver.password);
  await secondPage.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(secondPage.locator('main').getByText('Compared with the source.')).toBeVisible();
  await expect(secondPage.getByRole('link', { name: 'See why, and how it is lifted' })).toHaveCount(0);

  await page.goto('/dashboard/admin/halt');
  await expect(main.getByText('Work continues')).toBeVisible();
});
