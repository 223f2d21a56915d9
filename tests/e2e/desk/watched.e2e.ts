import { expect, expectAccessible, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { draftPayments, startPayment } from '#tests/e2e/support/waiting-run.ts';

const kind = () => (withScripts() ? 'with' : 'without');

test('an auditor watches a run, is told of its decision, and finds who decided and why', async ({ page, secondPage, browser }) => {
  await signIn(page, 'builder');
  const payee = withScripts() ? 'Odile Marchetti' : 'Bram Osterhout';
  const { run, approval } = await startPayment(page, await draftPayments(page, `Watched ${kind()} scripts`), payee, '4100');
  await signIn(secondPage, 'auditor');
  const main = secondPage.locator('main');
  await secondPage.goto(run);
  await main.getByRole('button', { name: /^Watch/ }).click();
  await expect(main.getByRole('button', { name: /^Stop watching/ })).toBeVisible();
  await expectAccessible(secondPage);

  const context = await browser.newContext();
  const approver = await context.newPage();
  const { name } = await signIn(approver, 'approver');
  await approver.goto(approval);
  await approver.locator('main').getByLabel('Reason', { exact: true }).fill('The invoice was never agreed.');
  const password = approver.locator('main').getByLabel('Your password');
  if (await password.isVisible()) await password.fill((await signIn(approver, 'approver')).password);
  await approver.locator('main').getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(approver.getByText(/^Rejected\./).first()).toBeVisible();
  await context.close();

  await secondPage.goto('/dashboard/notifications');
  const told = main.getByRole('link').filter({ hasText: payee }).first();
  await expect(told).toBeVisible();
  await told.click();
  await secondPage.goto(`/dashboard/approvals?status=rejected&q=${encodeURIComponent(payee)}`);
  await main.getByRole('list', { name: 'Approvals', exact: true }).getByRole('link').filter({ hasText: payee }).first().click();
  await expect(secondPage).toHaveURL(new RegExp(approval));
  await expect(main.getByText('The invoice was never agreed.').first()).toBeVisible();
  await expect(main.getByText(name).first()).toBeVisible();
  // Each watch stands on one page, and is ended there.
  await secondPage.goto('/dashboard/notifications/preferences');
  const watched = main.getByRole('listitem').filter({ hasText: payee });
  await expect(watched).toHaveCount(1);
  await watched.getByRole('button', { name: /^Stop watching/ }).click();
  await expect(main.getByRole('listitem').filter({ hasText: payee })).toHaveCount(0);
});
