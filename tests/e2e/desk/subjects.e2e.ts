import { expect, expectAccessible, scriptsArrive, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { draftPayments, startPayment } from '#tests/e2e/support/waiting-run.ts';

test('a builder names what runs are about and what approving does, and sees a wrong name in place', async ({ page, secondPage }) => {
  await signIn(page, 'builder');
  const workflow = await draftPayments(page, `Subjects ${withScripts() ? 'with' : 'without'} scripts`);
  const main = page.locator('main');
  const subject = main.getByRole('textbox', { name: /^Subject of each run/ });
  await page.goto(`${workflow}/edit/settings`);
  if (withScripts()) {
    await scriptsArrive(page);
    await subject.fill('To {{ input.payee }} · {{ input.amount }}');
    // The value of the first sample.
    await expect(main.getByText('To Northwind Office Supplies · €480.20', { exact: true }).last()).toBeVisible();
  }
  await subject.fill('To {{ input.recipient }}');
  await main.getByRole('button', { name: 'Save settings' }).click();
  await expect(main.getByText('subject: the input field recipient does not exist', { exact: true })).toBeVisible();
  await page.goto(`${workflow}/edit/settings`);
  await expect(main.locator('form').getByText('subject: the input field recipient does not exist', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await subject.fill('To {{ input.payee }}');
  await main.getByRole('button', { name: 'Save settings' }).click();
  await expect(main.getByText('To {{ input.payee }}', { exact: true })).toBeVisible();

  await page.goto(`${workflow}/edit/step/triage/certain_hit/release`);
  await main.getByRole('textbox', { name: /^What approving does/ }).fill('Transfer {{ input.amount }} to {{ input.payee }}');
  await main.getByRole('button', { name: 'Save step' }).click();
  await expect(page.getByText(/^Step saved/).first()).toBeVisible();
  const payee = `Ines ${withScripts() ? 'Roth' : 'Weiss'}`;
  const { approval } = await startPayment(page, workflow, payee, '9900');
  await page.goto(workflow);
  await expect(main.getByText('To {{ input.payee }}', { exact: true })).toBeVisible();
  await expect(main.getByRole('link', { name: new RegExp(`^To ${payee} · #\\d+$`) })).toBeVisible();

  await signIn(secondPage, 'approver');
  await secondPage.goto(approval);
  const sentence = `Transfer €9,900.00 to ${payee}`;
  await expect(secondPage.getByRole('heading', { level: 1, name: sentence, exact: true })).toBeVisible();
  await expectAccessible(secondPage);
  await secondPage.goto('/dashboard/notifications');
  await expect(secondPage.locator('main').getByText(sentence).first()).toBeVisible();
});

test('an approver finds a payment by payee, by amount and by number, and opens it from there', { tag: '@rare' }, async ({
  page,
  secondPage,
}) => {
  await signIn(page, 'builder');
  const name = `Payments found ${withScripts() ? 'with' : 'without'} scripts`;
  const [payee, amount, written] = withScripts() ? ['Ada Okonkwo', '7431.5', '7,431.50'] : ['Uche Balogun', '8264.5', '8,264.50'];
  const { run, approval } = await startPayment(page, await draftPayments(page, name), payee, amount);
  await signIn(secondPage, 'approver');
  const main = secondPage.locator('main');
  const found = main.getByRole('link', { name: new RegExp(`^${payee} · €${written.replace('.', '\\.')} · #\\d+$`) });
  // The texts of runs are taken for the search beside the work on them, a moment later.
  await expect(async () => {
    await secondPage.goto(`/dashboard/search?q=${encodeURIComponent(payee)}`);
    await expect(found.first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  const number = /#\d+$/.exec((await found.first().textContent()) ?? '')?.[0] ?? '';
  for (const words of [payee, amount, written, number]) {
    await secondPage.goto('/dashboard/search');
    await main.getByRole('searchbox').fill(words);
    await main.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(found.first()).toHaveAttribute('href', run);
  }
  await found.first().click();
  await expect(secondPage).toHaveURL(run);
  await main.locator(`a[href="${approval}"]`).first().click();
  await expect(secondPage).toHaveURL(approval);
  await expect(main.getByRole('link', { name: new RegExp(`^${payee} · `) }).first()).toBeVisible();
});
