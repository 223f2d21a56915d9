import { expect, expectAccessible, signIn, test } from '#tests/e2e/support/journey.ts';

test('an admin makes a token, a directory brings somebody with it, and the token ends', async ({ page, request }, { project }) => {
  await signIn(page, 'admin');
  await page.goto('/dashboard/admin');
  await page.getByRole('main').getByRole('link', { name: 'Provisioning' }).click();
  const address = await page.getByLabel('Address for your identity provider', { exact: true }).inputValue();
  await page.getByRole('link', { name: 'Create a token' }).click();
  const name = `Directory ${project.name}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create a token' }).click();
  const secret = await page.getByLabel('Provisioning token', { exact: true }).inputValue();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await expect(page.getByRole('main')).not.toContainText(secret);

  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/scim+json' };
  const userName = `${project.name.replaceAll(' ', '-')}@corp.example`;
  const post = () => request.post(`${address}/Users`, { headers, data: { userName, displayName: `Ada ${project.name}` } });
  expect((await post()).status()).toBe(201);
  expect((await post()).status()).toBe(409);
  await page.reload();
  await expect(page.getByRole('row', { name: `Ada ${project.name}` })).toContainText('Invited: joins at the next sign-in');
  await expect(page.getByRole('main')).toContainText('409: There is one of this name already.');
  await expectAccessible(page);

  await page.getByRole('link', { name: `Revoke ${name}` }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('Token revoked.').first()).toBeVisible();
  expect((await post()).status()).toBe(401);
});
