import type { Page } from '@playwright/test';
import { demoAccount, expect, expectAccessible, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { tabTo } from '#tests/e2e/support/keyboard.ts';
import { startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

const MEMBERS = '/dashboard/admin/members';
const DEPUTIES = '/dashboard/approvals/deputies';

/** Whether the auditor is an approver, too: an admin asks, and the approver agrees. */
async function setApprover(page: Page, approver: Page, isApprover: boolean): Promise<void> {
  await page.goto(MEMBERS);
  await page.getByRole('link', { name: `Change roles of ${demoAccount('auditor').name}` }).click();
  await page.getByRole('checkbox', { name: 'Approver' }).setChecked(isApprover);
  await page.getByLabel('Reason').fill('Holidays');
  await page.getByRole('button', { name: 'Save roles' }).click();
  await expect(page).toHaveURL(/\/dashboard\/changes\//);
  await approver.goto(page.url());
  await approver.getByLabel('Your password').fill(demoAccount('approver').password);
  await approver.getByRole('button', { name: 'Approve the change' }).click();
  await expect(approver.getByText('Approved and applied.', { exact: true })).toBeVisible();
}

/** The date so many days from now, as one types it into a field of an American browser. */
function typed(days: number): string {
  const [year = '', month = '', day = ''] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-');
  return month + day + year;
}

test('an approver delegates before a holiday, by keyboard, and ends it early', { tag: '@rare' }, async ({ page, secondPage }) => {
  const [away, deputy] = [demoAccount('approver').name, demoAccount('auditor')];
  await signIn(page, 'builder');
  const { id, approvals } = await startWaitingRuns(page, `Holiday ${withScripts() ? 'with' : 'without'} scripts`, 1);
  const [approval = ''] = approvals;
  await signIn(page, 'admin');
  await signIn(secondPage, 'approver');
  await setApprover(page, secondPage, true);
  try {
    const main = secondPage.locator('main');
    await secondPage.goto('/dashboard/approvals');
    await tabTo(secondPage, main.getByRole('link', { name: 'Away? Name a deputy' }));
    await secondPage.keyboard.press('Enter');
    await expect(secondPage).toHaveURL(DEPUTIES);
    await expect(main.getByText('No deputies named')).toBeVisible();
    await tabTo(secondPage, main.getByRole('combobox', { name: 'Deputy', exact: true }));
    await secondPage.keyboard.type(deputy.name);
    await tabTo(secondPage, main.getByLabel('First day away'));
    await secondPage.keyboard.type(typed(-1));
    await tabTo(secondPage, main.getByLabel('Last day away'));
    await secondPage.keyboard.type(typed(5));
    await tabTo(secondPage, main.getByRole('textbox', { name: 'Reason' }));
    await secondPage.keyboard.type('Holiday');
    await tabTo(secondPage, main.getByRole('button', { name: 'Name deputy' }));
    await secondPage.keyboard.press('Enter');
    const row = main.getByRole('list', { name: 'Named deputies' }).getByRole('listitem');
    await expect(row).toContainText(`${deputy.name} is the deputy of ${away}`);
    await expect(row).toContainText('Now, ');
    await expectAccessible(secondPage);
    // A second one for the same days is refused, and what was typed stays.
    await secondPage.goto(DEPUTIES);
    await main.getByRole('combobox', { name: 'Deputy', exact: true }).selectOption({ label: deputy.name });
    await main.getByLabel('First day away').fill(new Date().toISOString().slice(0, 10));
    await main.getByRole('button', { name: 'Name deputy' }).click();
    await expect(main.getByRole('alert')).toContainText('Fill in both days, or neither');
    // An approval assigned to a person who is away goes to their deputy, and the page says so.
    await secondPage.goto(approval);
    await tabTo(secondPage, main.getByRole('button', { name: 'Assign to me' }));
    await secondPage.keyboard.press('Enter');
    await expect(main.getByText(new RegExp(`^Assigned to ${away}\\. ${deputy.name} is the deputy until `))).toBeVisible();

    await signIn(page, 'auditor');
    const deputysMain = page.locator('main');
    await page.goto(`/dashboard/approvals?assigned=me&workflow=${id}`);
    await expect(deputysMain.getByRole('list', { name: 'Approvals', exact: true }).getByRole('listitem')).toContainText(
      `for ${away} until `,
    );
    await page.goto('/dashboard/notifications');
    await expect(deputysMain.getByText(`You stand in for ${away} from `).first()).toBeVisible();
    await page.goto(approval);
    await expect(deputysMain.getByText(new RegExp(`^Assigned to ${away}\\. You are the deputy until `))).toBeVisible();
    await expectAccessible(page);

    await secondPage.goto(DEPUTIES);
    await tabTo(secondPage, row.getByRole('button', { name: 'End' }));
    await secondPage.keyboard.press('Enter');
    await expect(main.getByText('No deputies named')).toBeVisible();
    await page.goto(approval);
    await expect(deputysMain.getByText(`Assigned to ${away}`, { exact: true })).toBeVisible();
    await secondPage.goto(`${DEPUTIES}?lng=ar`);
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('النيابات');
    await expectAccessible(secondPage);
    await secondPage.goto(`${DEPUTIES}?lng=en`);
  } finally {
    await signIn(page, 'admin');
    await setApprover(page, secondPage, false);
  }
});
