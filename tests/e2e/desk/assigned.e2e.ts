import { expect, expectAccessible, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

test('an approver takes an approval, finds it first, gives it back and assigns it', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const name = `Assigning ${withScripts() ? 'with' : 'without'} scripts`;
  const { id, approvals } = await startWaitingRuns(page, name, 2);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  const list = main.getByRole('list', { name: 'Approvals', exact: true });
  const duty = main.getByRole('region', { name: 'Assignment', exact: true });
  await secondPage.goto(`${approvals[1]}?workflow=${id}`);
  await expect(duty.getByText('Not assigned. Anyone who may decide can take it.', { exact: true })).toBeVisible();
  await duty.getByRole('button', { name: 'Assign to me', exact: true }).click();
  await expect(duty.getByText('Assigned to you', { exact: true })).toBeVisible();
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);
  await expectAccessible(secondPage);
  // It stands first, before what is due earlier.
  await secondPage.goto(`/dashboard/approvals?workflow=${id}`);
  await expect(list.getByRole('listitem').first()).toContainText('Assigned to you');
  await main.getByRole('link', { name: 'Open the first one' }).click();
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);
  await duty.getByRole('button', { name: 'Give back', exact: true }).click();
  await expect(duty.getByText('Not assigned. Anyone who may decide can take it.', { exact: true })).toBeVisible();
  await duty.getByText('Assign to someone', { exact: true }).click();
  await expect(duty.getByText(/may not decide: started the run\./)).toBeVisible();
  await expectAccessible(secondPage);
  await duty.getByRole('combobox', { name: 'Assigned to' }).selectOption({ index: 1 });
  await duty.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(duty.getByText(/^Assigned to /)).toBeVisible();
  await secondPage.goto(`/dashboard/approvals?workflow=${id}&assigned=nobody`);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await secondPage.goto(`${approvals[1]}?lng=ar`);
  await expect(main.getByRole('region', { name: 'الإسناد' })).toBeVisible();
  await expectAccessible(secondPage);
  await secondPage.goto(`${approvals[1]}?lng=en`);
});
