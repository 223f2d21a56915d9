import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, newestMail, publishDraft, sendRefused, takesUpTo, test, withScripts } from '#tests/e2e/support/journey.ts';

const WATCHED = 'Viktor Petrenko';
const main = (page: Page) => page.locator('main');
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Follows the link of a mail, as its reader would. */
async function openLink(page: Page, mail: { text: string }) {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  if (link === undefined) throw new Error(`no link in: ${mail.text}`);
  await page.goto(link);
}

async function signUp(page: Page, person: { name: string; email: string; password: string }) {
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await main(page).getByRole('button', { name: 'Sign Up' }).click();
  await expect(main(page).getByText('We sent you a confirmation link')).toBeVisible();
  await openLink(page, await newestMail(person.email, 'Confirm'));
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
}

/** Adds what is built in and approves it: who administers the workspace approves by adding, and can take it back and do it again. */
async function addBuiltin(page: Page, area: string, button: string) {
  await page.goto(area);
  await main(page).getByRole('button', { name: button }).first().click();
  const withdraw = main(page).getByRole('button', { name: /^Withdraw approval of/ });
  await expect(withdraw.first()).toBeVisible();
  // The page may still be on its way: half of it has fewer.
  await page.waitForLoadState('load');
  const offered = await withdraw.count();
  await withdraw.first().click();
  await expect(withdraw).toHaveCount(offered - 1);
  await main(page)
    .getByRole('checkbox', { name: /^Choose .* for approval$/ })
    .check();
  await page.getByRole('button', { name: 'Approve selected' }).click();
  await expect(withdraw).toHaveCount(offered);
}

/** A run page shows on its own what has changed; without scripts its reader asks. */
async function followUntil(page: Page, reached: () => Promise<boolean>) {
  await expect(async () => {
    if (await reached()) return;
    if (!withScripts()) await page.getByRole('link', { name: 'Refresh' }).click();
    expect(await reached()).toBe(true);
  }).toPass({ intervals: [200], timeout: 60_000 });
}

async function approve(page: Page, password: string, first: boolean) {
  await page.goto('/dashboard');
  await expect(page.locator('header').getByRole('link', { name: /Approvals\s*1 waiting/ })).toBeVisible();
  await page
    .locator('header')
    .getByRole('link', { name: /Approvals/ })
    .click();
  await expect(heading(page, 'Approvals')).toBeVisible();
  await expect(main(page).getByText('1 approval waits for your decision')).toBeVisible();
  await main(page).getByRole('list', { name: 'Approvals' }).getByRole('link').first().click();
  await expect(main(page).getByText('May this payment be released although its payee is on the list?').first()).toBeVisible();
  await page.getByText('Details and digest', { exact: true }).click();
  await expect(
    main(page)
      .getByText(/^[0-9a-f]{64}$/)
      .first(),
  ).toBeVisible();
  await expect(main(page).getByText('High', { exact: true }).first()).toBeVisible();
  const decide = page.getByRole('button', { name: 'Approve', exact: true });
  const reason = page.getByLabel('Reason', { exact: true });
  if (first) await refuseBadDecisions(page);
  await reason.fill('Checked against the passport: another person.');
  await page.getByLabel('Your password').fill(password);
  await decide.click();
  await expect(main(page).getByText('Checked against the passport: another person.')).toBeVisible();
  await expect(decide).toBeHidden();
}

/** What an approval does not take: no reason for a rejection, and at high risk no password but one's own. */
async function refuseBadDecisions(page: Page) {
  const problem = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await sendRefused(page.getByRole('button', { name: 'Reject', exact: true }));
  await expect(problem).toContainText('Say why you reject');
  await page.getByLabel('Reason', { exact: true }).fill('Checked against the passport.');
  await page.getByLabel('Your password').fill('not her password at all');
  await sendRefused(page.getByRole('button', { name: 'Approve', exact: true }));
  await expect(problem).toContainText('This is not your password');
  await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('Checked against the passport.');
}

async function verifyOffline(program: string, file: string): Promise<{ code: number | null; output: string }> {
  const key = join(process.env.QUORATE_E2E_DATA ?? '', 'log-key.pub');
  const child = spawn(process.execPath, [program, file, '--key', key], { cwd: tmpdir(), env: {} });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Downloads the evidence that stands on the page, has the browser verify it, and then the one file that is offered beside it, offline. */
async function prove(page: Page, subject: string) {
  if (withScripts()) {
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText('Proven: everything that this evidence claims')).toBeVisible();
    const states = await page.locator('[data-check]').evaluateAll((checks) => checks.map((check) => check.getAttribute('data-state')));
    expect(states.length).toBeGreaterThan(2);
    expect(new Set(states)).toEqual(new Set(['ok']));
  }
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download evidence' }).click();
  const evidence = await (await downloading).path();
  const offered = page.waitForEvent('download');
  await page.getByRole('link', { name: 'One file for Node' }).click();
  const program = `${evidence}.mjs`;
  await (await offered).saveAs(program);
  const { code, output } = await verifyOffline(program, evidence);
  expect(output).toContain(subject);
  expect(output).toContain('Proven: everything that this evidence claims was checked, and it holds.');
  expect(code).toBe(0);
}

test('two people and a governed run, from sign-up to the verified proof', async ({ page, secondPage }, { project }) => {
  takesUpTo(400_000);
  const stamp = `${project.name.replaceAll(' ', '-')}-${Date.now()}`;
  const ada = { name: 'Ada Berger', email: `ada-${stamp}@bank.example`, password: 'correct horse battery ada' };
  const ben = { name: 'Ben Okafor', email: `ben-${stamp}@bank.example`, password: 'correct horse battery ben' };

  await test.step('signs up, and lands in a workspace of her own', async () => {
    await page.goto('/auth?mode=sign-up');
    await signUp(page, ada);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.locator('header').getByText('Ada Berger’s workspace').first()).toBeVisible();
  });

  await test.step('connects the built-in tools and agent', async () => {
    await addBuiltin(page, '/dashboard/plugins', 'Add the built-in tools');
    await addBuiltin(page, '/dashboard/agents', 'Add the Compliance Copilot');
  });

  await test.step('writes a workflow from a template, and publishes it', async () => {
    await page.goto('/dashboard/workflows/templates');
    // What does not fit scrolls, says so at its edge, and is reached by keyboard.
    const wide = page.getByRole('group', { name: 'Flow of Review a contract' });
    await expect(wide).toHaveAttribute('tabindex', '0');
    const signs = () =>
      wide.evaluate((view) => [
        view.scrollWidth > view.clientWidth,
        getComputedStyle(view.parentElement ?? view, '::before').opacity,
        getComputedStyle(view.parentElement ?? view, '::after').opacity,
      ]);
    await expect.poll(signs).toEqual([true, '0', '1']);
    await wide.evaluate((view) => view.scrollTo({ left: view.scrollWidth, behavior: 'instant' }));
    await expect.poll(signs).toEqual([true, '1', '0']);
    await page.getByRole('link', { name: /^Use this template\s*: Payment screening/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('Outgoing payments');
    await page.getByRole('button', { name: 'Create workflow' }).click();
    await page.getByRole('link', { name: /^Edit\s*: Redact the release note/ }).click();
    await expect(heading(page, 'Step: Redact the release note')).toBeVisible();
    await page.getByLabel('What it does').fill('Write the release note');
    await page.getByRole('button', { name: 'Save step' }).click();
    await expect(heading(page, 'Step: Write the release note')).toBeVisible();
    await main(page).getByRole('link', { name: 'Close', exact: true }).click();
    await expect(heading(page, 'Edit Outgoing payments')).toBeVisible();
    await expect(main(page).getByText('Write the release note').first()).toBeVisible();
    await publishDraft(page);
    await expect(page.getByRole('heading', { name: 'Version 1, in force' })).toBeVisible();
  });

  await test.step('invites a second person, who signs up and joins', async () => {
    await page.goto('/dashboard/admin/members/invite');
    await page.getByLabel('E-mail').fill(ben.email);
    await page.getByLabel(/^Approver/).check();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(main(page).getByText(ben.email)).toBeVisible();
    await openLink(secondPage, await newestMail(ben.email));
    await expect(heading(secondPage, 'Join Ada Berger’s workspace')).toBeVisible();
    await secondPage.getByRole('link', { name: 'Sign Up' }).click();
    await signUp(secondPage, ben);
    await secondPage.getByRole('button', { name: 'Accept the invitation' }).click();
    await expect(secondPage.locator('header').getByText('Ada Berger’s workspace').first()).toBeVisible();
  });

  const status = (word: string) => async () => (await main(page).locator('[role=status]').filter({ hasText: word }).count()) > 0;

  await test.step('runs it live with a payee who is on the watchlist', async () => {
    await page.goto('/dashboard/workflows');
    await main(page).getByRole('link', { name: 'Outgoing payments' }).click();
    await page.getByRole('link', { name: 'Run', exact: true }).first().click();
    await expect(heading(page, 'Run Outgoing payments')).toBeVisible();
    await page.getByRole('link', { name: 'Payee on the list' }).click();
    await expect(page.getByLabel('Payee')).toHaveValue(WATCHED);
    await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('12500.5');
    await expect(page.getByLabel('Currency')).toHaveValue('EUR');
    await page.getByLabel('Payee').fill(WATCHED);
    await page.getByRole('textbox', { name: 'Amount' }).fill('12500.50');
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByLabel('Purpose of the payment').fill('Software licence, invoice 4711');
    await page.getByLabel('Names to screen against').fill(`Anna Example\n${WATCHED}\nJohn Sample`);
    await page.getByRole('button', { name: 'Start run' }).click();
    await expect(heading(page, /^Viktor Petrenko · €12,500\.50 · #\d+$/)).toBeVisible();
    await followUntil(page, status('Waiting'));
    await expect(
      main(page)
        .getByText(/^Waiting for a decision:/)
        .first(),
    ).toBeVisible();
    await expect(main(page).getByText('High', { exact: true }).filter({ visible: true }).first()).toBeVisible();
  });

  await test.step('the second person works elsewhere, signed out, and the mail leads to the approval', async () => {
    await secondPage.goto('/dashboard/account/workspaces/new');
    await secondPage.getByLabel('Name of the workspace').fill('Ben’s own desk');
    await main(secondPage).getByRole('button', { name: 'Create workspace' }).click();
    await expect(secondPage.locator('header').getByText('Ben’s own desk').first()).toBeVisible();
    await secondPage.context().clearCookies();
    await openLink(secondPage, await newestMail(ben.email, 'decision'));
    await secondPage.getByLabel('E-mail').fill(ben.email);
    await secondPage.getByLabel('Password', { exact: true }).fill(ben.password);
    await main(secondPage).getByRole('button', { name: 'Sign In' }).click();
    await expect(secondPage).toHaveURL(/\/dashboard\/approvals\/[0-9a-f-]{36}$/);
    await expect(main(secondPage).getByText('May this payment be released although its payee is on the list?').first()).toBeVisible();
    await expect(secondPage.locator('header').getByText('Ada Berger’s workspace').first()).toBeVisible();
  });

  await test.step('the second person decides on exactly the calls that were stopped', async () => {
    const waitsFor = page.getByRole('link', { name: 'Open the approval' });
    // Which calls come after the finding depends on which of the parallel checks was quicker.
    for (let count = 1; count <= 3; count++) {
      const decided = (await waitsFor.getAttribute('href')) ?? '';
      await approve(secondPage, ben.password, count === 1);
      await expect(secondPage).toHaveURL(new RegExp(`${decided}$`));
      await followUntil(
        page,
        async () => (await status('Completed')()) || ![decided, null].includes(await waitsFor.getAttribute('href', { timeout: 1_000 })),
      );
      if (await status('Completed')()) return;
    }
    throw new Error('more approvals were asked than calls follow the finding');
  });

  await test.step('the run ends with a result, and every step says why', async () => {
    await expect(main(page).getByText('released').first()).toBeVisible();
    await expect(
      main(page)
        .getByText(/^Released: 12500\.5 EUR to/)
        .first(),
    ).toBeVisible();
    await main(page).locator('.trace-link').filter({ hasText: 'Write the release note' }).click();
    const step = main(page).getByRole('region', { name: 'Step: Write the release note' });
    await expect(step).toContainText('Success');
    await expect(step).toContainText('redact_text');
  });

  await test.step('the proof of the event that closed it, and of the whole run', async () => {
    await page.getByRole('link', { name: 'See it in the audit log' }).click();
    await expect(heading(page, 'Run completed')).toBeVisible();
    await prove(page, 'evidence of the entry');
    await page.getByRole('link', { name: 'Proof of the whole run' }).click();
    await prove(page, 'evidence of the run');
  });
});
