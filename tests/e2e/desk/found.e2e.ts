import { expect, expectAccessible, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { draftPayments, startPayment } from '#tests/e2e/support/waiting-run.ts';

const kind = () => (withScripts() ? 'with' : 'without');

test('on the desk a payment is found by payee, by amount and by number, and the search is kept for everyone', async ({
  page,
  secondPage,
}) => {
  await signIn(page, 'builder');
  const [payee, amount] = withScripts() ? ['Nadia Ferrant', '6317.25'] : ['Tomas Quill', '5926.75'];
  const { run, approval } = await startPayment(page, await draftPayments(page, `Desk search ${kind()} scripts`), payee, amount);
  await page.goto(run);
  const number = /#\d+/.exec((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')?.[0] ?? '';
  expect(number).not.toBe('');
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  const list = main.getByRole('list', { name: 'Approvals', exact: true });
  const found = list.getByRole('link').filter({ hasText: payee });
  const search = main.getByRole('search');
  for (const words of [payee.toLowerCase(), amount, number]) {
    await secondPage.goto('/dashboard/approvals');
    await search.getByRole('searchbox').fill(words);
    await search.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(secondPage).toHaveURL(/[?&]q=/);
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await expect(found).toHaveAttribute('href', new RegExp(`^${approval}\\?`));
  }
  // By an amount that lies between two, kept under a name, and by everyone in the workspace.
  await secondPage.goto(`/dashboard/approvals?min=${Math.floor(Number(amount))}&max=${Math.ceil(Number(amount))}`);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  const view = `Near ${amount}`;
  await main.getByLabel('Name of the view').fill(view);
  await main.getByLabel('Share with everyone in the workspace').check();
  await main.getByRole('button', { name: 'Save this view' }).click();
  await expect(secondPage.getByText('View saved.').first()).toBeVisible();
  await expectAccessible(secondPage);
  await page.goto('/dashboard/approvals');
  await page.locator('main').getByRole('link', { name: view, exact: true }).click();
  await expect(page).toHaveURL(/min=\d+&max=\d+/);
  await expect(page.locator('main').getByRole('list', { name: 'Approvals', exact: true }).getByRole('listitem')).toHaveCount(1);
  // Words that nothing holds say so, with the way back to everything.
  await secondPage.goto('/dashboard/approvals?q=nobody+wrote+this');
  await expect(list).toHaveCount(0);
  await main.getByRole('link', { name: 'Clear filters' }).first().click();
  await expect(secondPage).toHaveURL(/\/dashboard\/approvals$/);
});
