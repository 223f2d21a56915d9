import { demoAccount, expect, newestMail, openDashboard, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

test('a run waits: its approver is told in the bar, in the inbox and by mail, reads it, and finds the run with a typing error', async ({
  page,
  secondPage,
}) => {
  const approver = secondPage;
  await signIn(approver, 'approver');
  const header = approver.locator('header').first();
  const main = approver.locator('main');
  // What the demo's own runs and other journeys have left is read first.
  await approver.goto('/dashboard/notifications');
  const readAll = approver.getByRole('button', { name: 'Mark all as read' });
  if (await readAll.isVisible()) await readAll.click();
  await expect(header.getByRole('link', { name: /Notifications\s*0 unread/ })).toBeVisible();

  await test.step('the builder starts what an officer must decide', async () => {
    await signIn(page, 'builder');
  });
  const { run, approval } = await startWaitingRun(page);

  await test.step('the count follows by itself, with a message that stands in the page too', async () => {
    const named = /asks for your decision.*Please send the minutes of the meeting on the new bridge\. · #\d+$/s;
    if (withScripts()) await expect(approver.getByRole('link', { name: named }).first()).toBeVisible();
    else await approver.reload();
    await expect(header.getByRole('link', { name: /Notifications\s*1 unread/ })).toBeVisible();
    await approver.goto('/dashboard/notifications?show=unread');
    await expect(main.getByRole('listitem').filter({ hasText: 'asks for your decision' })).toHaveCount(1);
    await expect(main.getByRole('link', { name: named })).toHaveCount(1);
  });

  await test.step('a mail says what waits, of which run, who asked, the question with its facts, and where', async () => {
    const mail = await newestMail(demoAccount('approver').email, 'asks for your decision', approval);
    expect(mail.text).toContain(demoAccount('builder').name);
    expect(mail.text).toMatch(
      /\nPlease send the minutes of the meeting on the new bridge\. · #\d+\nMay this record be released as shown\?\n/,
    );
    // The address that the step before has taken out is in no mail either.
    expect(mail.text).toMatch(
      /\nRecord as released: Minutes\. Present: Maria Keller, \[email\]\.\nDays since the request: 11\nDue: .*\nhttp/,
    );
  });

  await test.step('read, unread, and read by opening', async () => {
    await main.getByRole('button', { name: 'Mark as read' }).click();
    await expect(main.getByText('Nothing here')).toBeVisible();
    await approver.goto('/dashboard/notifications?show=approval');
    await main.getByRole('button', { name: 'Mark as unread' }).first().click();
    await expect(header.getByRole('link', { name: /Notifications\s*1 unread/ })).toBeVisible();
    // The count is live and can be ahead of the list.
    await expect(main.getByRole('button', { name: 'Mark as read' }).first()).toBeVisible();
    if (withScripts()) await scriptsArrive(approver);
    else await main.getByRole('button', { name: 'Mark as read' }).first().click();
    await main
      .getByRole('link', { name: /asks for your decision/ })
      .first()
      .click();
    await expect(approver).toHaveURL(new RegExp(`${approval}$`));
    await expect(header.getByRole('link', { name: /Notifications\s*0 unread/ })).toBeVisible();
  });

  await test.step('the run is found although it is misspelt; nonsense is not', async () => {
    await approver.goto('/dashboard/search');
    const words = main.getByRole('searchbox');
    await words.fill('recrods reqest');
    await main.getByRole('button', { name: 'Search' }).click();
    await expect(main.locator(`a[href="${run}"]`)).toBeVisible();
    await expect(main.getByText(/^\d+ results?$/)).toBeVisible();
    await words.fill('%%%');
    await main.getByRole('button', { name: 'Search' }).click();
    await expect(main.getByText('No results found').first()).toBeVisible();
  });

  await test.step('what one does not want is not mailed', async () => {
    await approver.goto('/dashboard/notifications/preferences');
    const byMail = main.getByRole('checkbox', { name: 'Approvals: By e-mail' });
    await expect(byMail).toBeChecked();
    await byMail.uncheck();
    await main.getByRole('button', { name: 'Save choices' }).click();
    await expect(approver.getByText('Notification preferences saved.').first()).toBeVisible();
    await expect(byMail).not.toBeChecked();
    await byMail.check();
    await main.getByRole('button', { name: 'Save choices' }).click();
    await expect(byMail).toBeChecked();
  });
});

test('the palette opens by keys, goes where one chooses, and gives the focus back @scripts', async ({ page }) => {
  await openDashboard(page, 'builder');
  const help = page.locator('header').getByRole('link', { name: /Notifications/ });
  await scriptsArrive(page);
  await help.focus();
  await page.keyboard.press('Control+k');
  const words = page.getByRole('combobox', { name: 'Search' });
  await expect(words).toBeFocused();
  await words.fill('agnets');
  await expect(page.getByRole('dialog').getByRole('option', { name: /My Agents/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/\d+ results?/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(help).toBeFocused();
  await page.keyboard.press('Control+k');
  await words.fill('polices');
  await expect(
    page
      .getByRole('dialog')
      .getByRole('option', { name: /Policies/ })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/policies$/);
});
