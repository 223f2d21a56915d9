import { expect, signIn, test } from '#tests/e2e/support/journey.ts';
import { connectModel, startServices } from '#tests/e2e/support/services.ts';

test.use({ baseURL: process.env.QUORATE_E2E_OPEN_ORIGIN });

test('a builder installs a server from the catalogue and connects a model with its price', async ({ page }, { project }) => {
  const services = await startServices();
  await signIn(page, 'builder', process.env.QUORATE_E2E_OPEN_DATA);

  await page.goto('/dashboard/marketplace');
  await page.getByLabel('Text', { exact: true }).fill('context7');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('link', { name: 'Context7' }).click();
  await expect(page.getByRole('heading', { name: 'What it asks for' })).toBeVisible();
  await page.getByRole('button', { name: 'Install as pending connection' }).click();
  await expect(page.locator('main').getByText('Installed as a pending connection')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Pending');

  const name = `Models ${project.name}`;
  const model = await connectModel(page, services, name);
  await expect(page.getByRole('main')).toContainText('small-1');
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Model', { exact: true }).selectOption('small-1');
  await page.getByLabel('Input tokens').fill('2');
  await page.getByLabel('Output tokens').fill('8');
  await page.getByRole('button', { name: 'Save the price' }).click();
  await expect(page.locator('main').getByText('Price saved.')).toBeVisible();
  await page.goto(model);
  await expect(page.getByText('Per million tokens: $2.00 in, $8.00 out')).toBeVisible();

  await page.getByRole('link', { name: 'Rotate the key' }).click();
  await page.getByLabel('New key or token').fill('wrong');
  await page.getByRole('button', { name: 'Check and replace' }).click();
  await expect(page.getByRole('alert')).toContainText('The token was refused');
  await services.stop();
});
