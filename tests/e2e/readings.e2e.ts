import type { Page } from '@playwright/test';
import { expect, scriptsArrive, sendRefused, signIn, test } from '#tests/e2e/support/journey.ts';
import { type PagePart, readAloud } from '#tests/e2e/support/screen-reader.ts';
import { findLink, startLoopRun, startWaitingRuns } from '#tests/e2e/support/waiting-run.ts';

/**
 * Eleven screens and journeys as a screen reader tells them. The texts in `readings/` are to be read by a person before they are accepted: `playwright
 * test readings --update-snapshots` writes them again.
 */
async function expectReading(page: Page, name: string, part: PagePart = 'main') {
  await scriptsArrive(page);
  expect(await readAloud(page, part)).toMatchSnapshot(`${name}.txt`);
}

test('signing in, first with nothing typed @scripts', async ({ page }) => {
  await page.goto('/auth');
  await expectReading(page, 'sign-in');
  await sendRefused(page.locator('main').getByRole('button', { name: 'Sign In' }));
  await expectReading(page, 'sign-in-refused');
});

test('asking for a new password @scripts', async ({ page }) => {
  await page.goto('/reset-password');
  await page.getByLabel('E-mail').fill('nobody@example.org');
  await page.locator('main').getByRole('button').first().click();
  await expect(page.locator('main').getByText('Reset Email Sent!')).toBeVisible();
  await expectReading(page, 'reset-asked');
});

test('starting a run @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  await page.goto(`${workflow}/run`);
  await expectReading(page, 'run-form');
  await sendRefused(page.getByRole('button', { name: 'Start run' }));
  await expectReading(page, 'run-form-refused');
});

test('deciding an approval @scripts', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  // Of a workflow of its own, so that nobody has decided the same before; without the list beside it, which others fill.
  const { id, approvals } = await startWaitingRuns(page, 'Reading an approval', 1);
  await page.goto(`/dashboard/runs?workflow=${id}`);
  await expectReading(page, 'runs', 'table');
  await signIn(secondPage, 'approver');
  await secondPage.goto(`/dashboard/approvals?workflow=${id}`);
  await expectReading(secondPage, 'approvals', 'list');
  await secondPage.goto(approvals[0] ?? '');
  await expectReading(secondPage, 'approval', 'article');
});

test('inviting somebody @scripts', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/dashboard/admin/members/invite');
  await expectReading(page, 'invite');
  await page.goto('/dashboard/marketplace?q=github');
  await expectReading(page, 'marketplace', 'region');
  // Of a workspace in which nobody else is at work.
  await page.goto('/dashboard/account/workspaces/new');
  await page.getByLabel('Name of the workspace').fill('Reading room');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('The workspace is ready.').first()).toBeVisible();
  await page.goto('/dashboard');
  await expectReading(page, 'dashboard');
});

test('reading an editor, a step in it and a run @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const { run } = await startLoopRun(page);
  await page.goto(run);
  const workflow = await page.locator('main').locator('a[href^="/dashboard/workflows/"]').first().getAttribute('href');
  await expectReading(page, 'run');
  await page.goto(`${workflow}/edit`);
  await expectReading(page, 'editor');
  await page.goto(`${workflow}/edit/step/each_supplier`);
  await expectReading(page, 'editor-step');
});
