import { demoAccount, expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

test('an approver goes from one decision to the next without a way back', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const name = `Clearing ${withScripts() ? 'with' : 'without'} scripts`;
  const { id, approvals } = await startWaitingRuns(page, name, 4);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  const list = main.getByRole('list', { name: 'Approvals', exact: true });
  await secondPage.goto(`/dashboard/approvals?workflow=${id}`);
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expectAccessible(secondPage);
  await main.getByRole('link', { name: 'Open the first one' }).click();
  await expect(secondPage).toHaveURL(`${approvals[0]}?workflow=${id}`);
  // The question and its facts stand before everything else, unfolded.
  await expect(main.getByText('Please send the minutes of meeting 1.', { exact: true })).toBeVisible();
  await expectAccessible(secondPage);
  await main.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(secondPage.getByText('Here is the next approval.').first()).toBeVisible();
  // Told by a message that leaves the answer to the next one free to press.
  if (withScripts()) {
    await expect(secondPage.getByRole('region', { name: 'Notifications' }).getByText('Here is the next approval.')).toBeVisible();
    for (const name of ['Approve', 'Reject'])
      expect(
        await main.getByRole('button', { name, exact: true }).evaluate((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }),
        name,
      ).toBe(true);
  }
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 2.', { exact: true })).toBeVisible();
  await expect(main.getByText(/1 earlier request\. Approved: 1, rejected: 0\./)).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  // One that needs thought is left for later.
  await main.getByRole('link', { name: 'Next approval' }).click();
  await expect(main.getByText('Please send the minutes of meeting 3.', { exact: true })).toBeVisible();
  await main.getByLabel('Reason', { exact: true }).fill('The third meeting was closed to the public.');
  await main.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(secondPage).toHaveURL(`${approvals[3]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 4.', { exact: true })).toBeVisible();
  await main.getByRole('button', { name: 'Approve', exact: true }).click();
  // Behind the last comes what was left.
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 2.', { exact: true })).toBeVisible();
  await main.getByLabel('Signed as', { exact: true }).selectOption('Reviewed');
  await main.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(secondPage.getByText('Approved. The run continues.', { exact: true }).first()).toBeVisible();
  await expect(list).toHaveCount(0);
  await secondPage.goto(`/dashboard/approvals?workflow=${id}&status=rejected`);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  // The signed record says who signed what, with what meaning, when and how they proved that it is them.
  await secondPage.goto(approvals[1] ?? '');
  await main.getByRole('link', { name: 'Signed record' }).click();
  await expect(main.getByText('Please send the minutes of meeting 2.', { exact: true })).toBeVisible();
  const signature = main.getByRole('listitem').filter({ has: secondPage.getByRole('heading', { name: 'Signature 1' }) });
  for (const said of [demoAccount('approver').name, 'Reviewed', 'Signed in; no password was asked for'])
    await expect(signature.getByText(said, { exact: true })).toBeVisible();
  await expect(signature.getByText(/UTC$/)).not.toHaveCount(0);
  await expect(signature.getByText(/^Entry \d/)).toBeVisible();
  await expectAccessible(secondPage);
});

test('keys lead through the list and to the answer, and decide nothing on their own @scripts', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const { id, approvals } = await startWaitingRuns(page, 'Clearing by keys', 2);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  await secondPage.goto(`/dashboard/approvals?workflow=${id}`);
  await scriptsArrive(secondPage);
  await secondPage.keyboard.press('j');
  await expect(secondPage).toHaveURL(`${approvals[0]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 1.', { exact: true })).toBeVisible();
  await expect(main.getByRole('heading', { level: 1 })).toBeFocused();
  await secondPage.keyboard.press('j');
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 2.', { exact: true })).toBeVisible();
  // A key that is pressed as soon as the page is there keeps the focus that it moved.
  await secondPage.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('main')?.textContent.includes('RequestPlease send the minutes of meeting 1.')) return;
      watch.disconnect();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }));
    });
    watch.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await secondPage.keyboard.press('k');
  await expect(secondPage).toHaveURL(`${approvals[0]}?workflow=${id}`);
  await expect(main.getByText('Please send the minutes of meeting 1.', { exact: true })).toBeVisible();
  const reason = main.getByLabel('Reason', { exact: true });
  await expect(reason).toBeFocused();
  // In a field they are letters.
  await secondPage.keyboard.type('jar');
  await expect(reason).toHaveValue('jar');
  await secondPage.keyboard.press('Tab');
  await main.getByRole('heading', { level: 1 }).focus();
  await secondPage.keyboard.press('r');
  await expect(reason).toBeFocused();
  await main.getByRole('heading', { level: 1 }).focus();
  await secondPage.keyboard.press('a');
  await expect(main.getByRole('button', { name: 'Approve', exact: true })).toBeFocused();
  await expect(secondPage).toHaveURL(`${approvals[0]}?workflow=${id}`);
  await secondPage.keyboard.press('Enter');
  await expect(secondPage).toHaveURL(`${approvals[1]}?workflow=${id}`);

  // A vote shows before the server has answered, and is taken back where it is refused: here because the request was withdrawn meanwhile.
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await secondPage.route(`**${approvals[1]}*`, async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  const row = main.getByRole('list', { name: 'Approvals', exact: true }).getByRole('listitem');
  await main.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(row.getByText('Approve', { exact: true })).toBeVisible();
  await expect(main.getByRole('article').getByText('Approve', { exact: true })).toBeVisible();
  await page.goto(`${approvals[1]}/withdraw`);
  await page.getByRole('main').getByRole('button', { name: 'Withdraw approval' }).click();
  await expect(page.getByRole('main').getByText('Withdrawn', { exact: true }).first()).toBeVisible();
  answer();
  await expect(main.getByText(/Your decision was not counted/).first()).toBeVisible();
  await expect(main.getByText('Approve', { exact: true })).toHaveCount(1);
});
