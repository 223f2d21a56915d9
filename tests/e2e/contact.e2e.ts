import { randomUUID } from 'node:crypto';
import { expect, openMailbox, scriptsArrive, sharedServer, signIn, test } from '#tests/e2e/support/journey.ts';
import { caughtMails } from '#tests/support/caught-mails.ts';

test('a buyer asks for a demo, is told what is missing, and loses nothing', async ({ page }, { project }) => {
  await page.goto('/');
  await page.locator('#pricing').getByRole('link', { name: 'Schedule Enterprise Demo' }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  const table = page.getByRole('table', { name: 'The plans side by side' });
  await expect(table.getByRole('row', { name: /^Executions a month/ })).toHaveText(/1,000.*10,000.*Unlimited/);
  const form = page.locator('#contact-form');
  await page.locator('main').getByRole('link', { name: 'Schedule Enterprise Demo' }).click();
  await expect(form.getByLabel('What it is about')).toHaveValue('demo');
  await form.getByLabel('Your name').fill('Ada Winter');
  await form.getByLabel('E-mail address').fill('no address');
  await form.getByLabel('Message').fill('We would like to see a payment screened.');
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(form.getByRole('alert')).toContainText('The message was not sent. Correct the marked fields.');
  await expect(form.getByRole('alert')).toContainText('Enter an e-mail address like name@example.com');
  await expect(form.getByLabel('What it is about')).toHaveValue('demo');
  await expect(form.getByLabel('Message')).toHaveValue('We would like to see a payment screened.');
  const address = `buyer-${project.name.replaceAll(' ', '-')}@example.com`;
  await form.getByLabel('E-mail address').fill(address);
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(page).toHaveURL(/\/contact#content$/);
  await expect(page.getByText('Message received. We will answer by e-mail.').first()).toBeVisible();
  await openMailbox(page);
  await expect(page.getByText(address).first()).toBeVisible();
  await expect(page.getByText('We received your message').first()).toBeVisible();

  // Whoever runs the instance reads it, and says when it has been answered.
  await signIn(page, 'admin');
  await page.goto('/dashboard/notifications?show=contact');
  await page
    .locator('main')
    .getByRole('link', { name: 'Someone wrote through the contact form and is waiting for an answer.' })
    .first()
    .click();
  await expect(page.locator('main').getByText('We would like to see a payment screened.')).toBeVisible();
  await expect(page.locator('main').getByText(address)).toBeVisible();
  await expect(page).toHaveURL(/\/contact-requests\/[0-9a-f-]+$/);
  const here = page.url();
  await page.locator('main').getByRole('button', { name: 'Mark as answered' }).click();
  await expect(page.getByText('Marked as answered.').first()).toBeVisible();
  await page.goto(here);
  await expect(page.locator('main').getByRole('button', { name: 'Mark as new' })).toBeVisible();
});

test('what is opened stays open, whichever comes first: what lies behind it, or that it was read @scripts', async ({ page }) => {
  const form = { topic: 'sales', name: 'Grace', email: 'opened@example.com', message: `To be opened in a hurry, ${randomUUID()}` };
  await page.request.post('/contact', { form });
  await signIn(page, 'admin');
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/__manifest*', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto('/dashboard/notifications?show=contact');
  await scriptsArrive(page);
  const read = page.waitForRequest((request) => request.method() === 'POST');
  const opened = page.locator('main').getByRole('link', { name: 'Someone wrote through the contact form' }).first();
  const address = (await opened.getAttribute('href')) ?? '';
  await opened.click();
  await (await read).response();
  arrive();
  await expect(page.locator('main').getByText(form.message)).toBeVisible();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('button', { name: 'Mark as answered' })).toBeVisible();
});

test('the contact form stands up to machines @scripts', async ({ page }) => {
  const good = { topic: 'sales', name: 'Machine', email: 'machine-form@example.com', message: 'The same again' };
  const post = (form: Record<string, string>) => page.request.post('/contact', { form, maxRedirects: 0 });
  expect((await post({ ...good, email: `${'a'.repeat(10_000)}@example.com` })).status()).toBe(400);
  expect((await post({ ...good, topic: 'unknown' })).status()).toBe(400);
  const trapped = await post({ ...good, website: 'https://example.com' });
  const first = await post(good);
  // A machine that filled in the hidden field learns nothing from the answer.
  expect([trapped.status(), trapped.headers().location]).toEqual([first.status(), first.headers().location]);
  for (let again = 0; again < 3; again++) expect((await post(good)).status()).toBe(303);
  const refused = await post(good);
  expect(refused.status()).toBe(429);
  expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(0);
  expect(await refused.text()).toContain('The same again');
  // Stored and answered once, however often the same words came.
  const answers = async () => (await caughtMails(sharedServer())).filter(({ to }) => to === good.email).length;
  await expect.poll(answers).toBe(1);
});
