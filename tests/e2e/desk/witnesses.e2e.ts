import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWitness } from '#app/witness/open-witness.ts';
import { expect, expectAccessible, scriptsArrive, sendRefused, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

test('an administrator names a witness; an auditor sees that it does not answer, and taking it away waits for a second person', {
  tag: '@rare',
}, async ({ page, secondPage }) => {
  const main = page.locator('main');
  await signIn(page, 'admin');
  await page.goto('/dashboard/audit');
  await main.getByRole('link', { name: 'Witnesses', exact: true }).click();
  await expect(main.getByText('No witness watches this log', { exact: true })).toBeVisible();
  const logKey = /^log (\S+)$/m.exec((await main.locator('code', { hasText: 'quorum none' }).textContent()) ?? '')?.[1] ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'quorate-witness-'));
  const witness = await openWitness({ directory, name: 'far', logKeys: [logKey] });
  try {
    const witnesses = page.locator('textarea[name="witnesses"]');
    const save = main.getByRole('button', { name: 'Save', exact: true });
    await witnesses.fill('far');
    await sendRefused(save);
    await expect(witnesses).toHaveValue('far');
    await expect(main.getByText('Line 1 is not a witness.').first()).toBeVisible();
    await witnesses.fill(`${witness.key} https://witness.invalid`);
    await page.getByLabel('Witnesses needed').fill('1');
    await save.click();
    await expect(main.getByRole('row').getByText('far', { exact: true })).toBeVisible();
    await signIn(secondPage, 'auditor');
    await secondPage.goto('/dashboard/audit/proof');
    const seen = secondPage.locator('main');
    await expect(seen.getByText('Not enough witnesses have signed yet', { exact: true })).toBeVisible();
    await expect(async () => {
      await secondPage.reload();
      await expect(seen.getByText(/^Not answering/)).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await expect(secondPage.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
    await expectAccessible(secondPage);
  } finally {
    // nobody else's journey has a witness
    await page.goto('/dashboard/audit/proof');
    if (withScripts()) await scriptsArrive(page);
    await page.locator('textarea[name="witnesses"]').fill('');
    await page.getByLabel('Witnesses needed').fill('0');
    await sendRefused(main.getByRole('button', { name: 'Save', exact: true }));
    await page.getByLabel('Reason').fill('Its machine is sold.');
    await main.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Change who watches the log of/ })).toBeVisible();
    const approver = await signIn(secondPage, 'approver');
    await secondPage.goto(page.url());
    await expect(secondPage.getByRole('region', { name: 'How the witnesses and time stamps change' })).toContainText('quorum 0');
    await secondPage.getByLabel('Your password').fill(approver.password);
    await secondPage.getByRole('button', { name: 'Approve the change' }).click();
    await expect(secondPage.locator('main').getByText('Approved and applied.', { exact: true })).toBeVisible();
    await rm(directory, { recursive: true, force: true });
  }
});
