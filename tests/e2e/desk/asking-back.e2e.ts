import type { Page } from '@playwright/test';
import { expect, expectAccessible, openIn, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

test('an approver asks back, the requester answers, and what is approved is what was asked', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const { id, approvals } = await startWaitingRuns(page, `Asking back ${withScripts() ? 'with' : 'without'} scripts`, 1);
  const address = `${approvals[0]}?workflow=${id}`;
  await signIn(secondPage, 'approver');
  const desk = secondPage.locator('main');
  const list = desk.getByRole('list', { name: 'Approvals', exact: true });
  await secondPage.goto(address);
  const digest = await digestOn(secondPage);
  // A question without words is refused, and nothing else is lost.
  await desk.getByRole('button', { name: /^Ask / }).click();
  await expect(desk.getByText('This field is required').first()).toBeVisible();
  await secondPage.goto(address);
  await desk.getByLabel('Comment', { exact: true }).fill('Which meeting is it?\nThe <b>second</b> one?');
  await desk.getByRole('button', { name: /^Ask / }).click();
  await expect(secondPage).toHaveURL(address);
  await expect(secondPage.getByText('Question sent. You are notified when it is answered.').first()).toBeVisible();
  await expect(desk.getByRole('list', { name: 'Comments, oldest first' })).toContainText('The <b>second</b> one?');
  await expect(list.getByText('Question open')).toBeVisible();
  await expectAccessible(secondPage);

  // The requester learns of it in the bar, on the run's page and in the list.
  await page.goto('/dashboard/notifications');
  const main = page.locator('main');
  await expect(main.getByRole('link', { name: /^An approver has a question about your request/ }).first()).toBeVisible();
  await page.goto(address);
  await main.getByRole('link', { name: /#\d+$/ }).first().click();
  await main.getByRole('link', { name: 'Answer the question' }).click();
  await expect(page).toHaveURL(approvals[0] ?? '');
  await expect(main.getByText('An approver has a question for you')).toBeVisible();
  await expectAccessible(page);
  await main.getByLabel('Your answer', { exact: true }).fill('The second, of 12 October.');
  await main.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Answer sent.').first()).toBeVisible();
  await expect(main.getByText('An approver has a question for you')).toHaveCount(0);

  await secondPage.goto('/dashboard/notifications');
  await desk
    .getByRole('link', { name: /^Your question was answered/ })
    .first()
    .click();
  await expect(secondPage).toHaveURL(approvals[0] ?? '');
  await secondPage.goto(address);
  await expect(list.getByText('Answered', { exact: true })).toBeVisible();
  await expect(desk.getByText('The second, of 12 October.')).toBeVisible();
  expect(await digestOn(secondPage)).toBe(digest);
  const arabic = await openIn(secondPage, 'ar');
  await arabic.page.goto(`${address}&lng=ar`);
  await expect(arabic.page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expectAccessible(arabic.page);
  await arabic.close();
  await desk.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(secondPage.getByText('Approved. The run continues.', { exact: true }).first()).toBeVisible();
});

/** The digest of the action, as the page that is open says it. */
async function digestOn(page: Page): Promise<string> {
  const text = await page.locator('main details').filter({ hasText: 'Details and digest' }).textContent();
  const [found] = /[0-9a-f]{64}/.exec(text ?? '') ?? [];
  expect(found).toBeDefined();
  return found ?? '';
}
