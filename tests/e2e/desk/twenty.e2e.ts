import type { Page } from '@playwright/test';
import { expect, scriptsArrive, signIn, takesUpTo, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

/** Twenty in full; elsewhere as many as have each way of answering in them. */
const MANY = process.env.QUORATE_TEST_FULL !== undefined ? 20 : 3;
/** Each of the journeys, from the list to the last decision. */
const WITHIN_MS = 180_000;
/** Those that are rejected, which takes a reason: every fourth; the last is approved. */
const isRejected = (place: number) => place % 4 === 1;

/**
 * Decides all approvals one after the other. `open` and `decide` do it in a way of their own. On every page between stands the next
 * step: the answer to the next approval, in reach without scrolling.
 */
async function clearTwenty(
  page: Page,
  { id, approvals }: { id: string; approvals: string[] },
  { open, decide }: { open(): Promise<void>; decide(rejects: boolean): Promise<void> },
): Promise<void> {
  const main = page.locator('main');
  await page.goto(`/dashboard/approvals?workflow=${id}`);
  if (withScripts()) await scriptsArrive(page);
  const began = performance.now();
  await open();
  for (const [place, approval] of approvals.entries()) {
    await expect(page).toHaveURL(`${approval}?workflow=${id}`);
    await expect(main.getByText(`Please send the minutes of meeting ${place + 1}.`, { exact: true })).toBeVisible();
    for (const name of ['Approve', 'Reject']) await expect(main.getByRole('button', { name, exact: true })).toBeInViewport();
    await decide(isRejected(place));
  }
  // Behind the last one: what was decided, and the way back to the list.
  await expect(page.getByText('Approved. The run continues.', { exact: true }).first()).toBeVisible();
  expect(performance.now() - began).toBeLessThan(WITHIN_MS);
  await expect(main.getByRole('link', { name: 'All approvals' })).toBeVisible();
  await page.goto(`/dashboard/approvals?workflow=${id}`);
  await expect(main.getByRole('link', { name: 'Clear filters' }).first()).toBeVisible();
  const list = main.getByRole('list', { name: 'Approvals', exact: true });
  await page.goto(`/dashboard/approvals?workflow=${id}&status=rejected`);
  await expect(list.getByRole('listitem')).toHaveCount(approvals.filter((_, place) => isRejected(place)).length);
}

test('an approver clears many approvals in under three minutes', { tag: '@rare' }, async ({ page, secondPage }) => {
  takesUpTo(480_000);
  await signIn(page, 'builder');
  const waiting = await startWaitingRuns(page, `Twenty ${withScripts() ? 'with' : 'without'} scripts`, MANY);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  await clearTwenty(secondPage, waiting, {
    open: () => main.getByRole('link', { name: 'Open the first one' }).click(),
    async decide(rejects) {
      if (rejects) await main.getByLabel('Reason', { exact: true }).fill('Closed to the public.');
      await main.getByRole('button', { name: rejects ? 'Reject' : 'Approve', exact: true }).click();
    },
  });
});

test('an approver clears many approvals by the keyboard alone in under three minutes @scripts', async ({ page, secondPage }) => {
  takesUpTo(480_000);
  await signIn(page, 'builder');
  const waiting = await startWaitingRuns(page, 'Twenty by keys', MANY);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  const { keyboard } = secondPage;
  await clearTwenty(secondPage, waiting, {
    open: () => keyboard.press('j'),
    async decide(rejects) {
      await expect(main.getByRole('heading', { level: 1 })).toBeFocused();
      await keyboard.press(rejects ? 'r' : 'a');
      if (rejects) {
        await keyboard.type('Closed to the public.');
        // Over what an approval states, and over 'Approve'.
        for (let presses = 0; presses < 3; presses += 1) await keyboard.press('Tab');
      }
      await expect(main.getByRole('button', { name: rejects ? 'Reject' : 'Approve', exact: true })).toBeFocused();
      await keyboard.press('Enter');
    },
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('an approver clears many approvals by touch in under three minutes', { tag: '@rare' }, async ({ page, secondPage }) => {
    takesUpTo(480_000);
    await signIn(secondPage, 'builder');
    const waiting = await startWaitingRuns(secondPage, `Twenty by touch ${withScripts() ? 'with' : 'without'} scripts`, MANY);
    await signIn(page, 'approver');
    const main = page.locator('main');
    await clearTwenty(page, waiting, {
      open: () => main.getByRole('link', { name: 'Open the first one' }).tap(),
      async decide(rejects) {
        if (rejects) await main.getByLabel('Reason', { exact: true }).fill('Closed to the public.');
        await main.getByRole('button', { name: rejects ? 'Reject' : 'Approve', exact: true }).tap();
      },
    });
  });
});
