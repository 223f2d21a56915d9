import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { expect, expectAccessible, newestMail, scriptsOf, sharedServer, test } from '#tests/e2e/support/journey.ts';
import { CLIENT_SECRET, startCompanyIdp } from '#tests/integration/support/company-idp.ts';
import { startStrangeIdp } from '#tests/integration/support/saml/strange-idp.ts';
import { LOOPBACK_LIST } from '#tests/support/loopback.ts';

/** In the place of a name server and an operator: the domain's record stands, and the workspace may reach this machine. */
async function proveDomain(domain: string): Promise<void> {
  const data = sharedServer().dataDirectory;
  const { database, ...address } = JSON.parse(readFileSync(join(data, 'database.json'), 'utf8'));
  const client = new Client({ ...superuserLogin(address, readFileSync(join(data, 'database-password'), 'utf8')), database });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      'update quorate.verified_domains set verified_at = now() where domain = $1 returning workspace_id',
      [domain],
    );
    const [{ workspace_id: workspace }] = rows;
    await client.query('update quorate.workspaces set private_network = $2 where id = $1', [workspace, JSON.stringify(LOOPBACK_LIST)]);
    await client.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
         values (gen_random_uuid(), $1, 'system', 'test.arranged', 'workspace', $2)`,
      [workspace, workspace],
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** From the provider's page, which is another site's, by ours to where it leads: ours sends itself where scripts run. */
async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go on to the service' }).click();
  if (scriptsOf() !== 'none') return;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company sign-in');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('an administrator sets a provider up, tests it and turns it on, by OpenID Connect and by SAML; strangers of the domain become members', async ({
  page,
  secondPage,
}) => {
  const domain = `acme-${scriptsOf().replace(' ', '-')}.example`;
  const main = page.locator('main');
  const idp = await startCompanyIdp({ par: true, origin: sharedServer().origin });
  const here = new URL(sharedServer().origin).hostname;
  const strange = await startStrangeIdp(here === 'localhost' ? '127.0.0.1' : 'localhost');
  try {
    await page.goto('/auth?mode=sign-up');
    await page.getByLabel('E-mail').fill(`owner@${domain}`);
    await page.getByLabel('Password', { exact: true }).fill('an owner of the company');
    await main.getByRole('button', { name: 'Sign Up' }).click();
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Check your email');
    await page.goto(/\/auth\/confirm\?\S+/.exec((await newestMail(`owner@${domain}`)).text)?.[0] ?? '');
    await main.getByRole('button', { name: 'Confirm and sign in' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await page.goto('/dashboard/admin/sign-in');
    await expect(main.getByText(`${sharedServer().origin}/sign-in/company/callback`)).toBeVisible();
    await main.getByRole('textbox', { name: 'Domain' }).fill(domain);
    await main.getByRole('button', { name: 'Add domain' }).click();
    await expect(main.getByText(/^quorate-verification=/)).toBeVisible();
    await expectAccessible(page);
    await proveDomain(domain);

    await main.getByRole('link', { name: 'Add a provider' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Acme login');
    await page.getByLabel('Issuer address').fill(idp.issuer);
    await page.getByLabel('Client ID').fill(idp.clientId);
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await main.getByRole('button', { name: 'Save provider' }).click();
    await expect(main.getByText('Not tested yet')).toBeVisible();

    idp.person = { sub: 'the owner', email: `owner@${domain}`, email_verified: true, name: 'Olga Owner', groups: ['Board'] };
    await page.getByRole('link', { name: 'Test this provider' }).click();
    await expect(main.getByRole('heading', { name: 'Who signed in' })).toBeVisible();
    await expect(main.getByText('Olga Owner').first()).toBeVisible();
    await expectAccessible(page);
    await main.getByRole('button', { name: 'This is right: mark as tested' }).click();
    await expect(main.getByText('Tested, and not turned on')).toBeVisible();

    await page.goto('/dashboard/admin/sign-in');
    await page.getByLabel('Provider', { exact: true }).selectOption('Acme login');
    await main.getByRole('button', { name: 'Save sign-in' }).click();
    await expect(page.getByText('Configuration saved.').first()).toBeVisible();

    idp.person = { sub: 'the stranger', email: `stranger@${domain}`, email_verified: true, name: 'Stella Stranger' };
    await secondPage.goto('/auth');
    await secondPage.getByLabel('E-mail').fill(`stranger@${domain}`);
    await secondPage.getByRole('button', { name: 'Use company sign-in' }).click();
    const onward = secondPage.getByRole('link', { name: 'Continue with Acme login' });
    await expect(onward).toBeVisible();
    await expectAccessible(secondPage);
    await onward.click();
    await expect(secondPage).toHaveURL(/\/dashboard$/);

    await page.goto('/dashboard/admin/members');
    await expect(main.getByText('Stella Stranger').first()).toBeVisible();

    // A SAML provider takes its place.
    await page.goto('/dashboard/admin/sign-in');
    await main.getByRole('link', { name: 'Add a SAML provider' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Acme SAML');
    await page.getByLabel('Metadata as XML').fill(strange.metadata);
    await main.getByRole('button', { name: 'Save provider' }).click();
    await expect(main.getByText('Not tested yet')).toBeVisible();
    await expectAccessible(page);
    const provider = page.url();
    await page.goto('/dashboard/admin/sign-in/saml');
    const [, metadata = ''] = /(\/sign-in\/company\/saml\/[0-9a-f-]{36})\b/.exec((await main.textContent()) ?? '') ?? [];
    strange.trust(await (await page.request.get(metadata)).text());
    await page.goto(provider);
    strange.person = { nameId: 'the owner', email: `owner@${domain}`, name: 'Olga Owner' };
    await page.getByRole('link', { name: 'Test this provider' }).click();
    await goOn(page);
    await expect(main.getByRole('heading', { name: 'Who signed in' })).toBeVisible();
    await main.getByRole('button', { name: 'This is right: mark as tested' }).click();
    await expect(main.getByText('Tested, and not turned on')).toBeVisible();
    await page.goto('/dashboard/admin/sign-in');
    await page.getByLabel('Provider', { exact: true }).selectOption('Acme SAML');
    await main.getByRole('button', { name: 'Save sign-in' }).click();
    await expect(page.getByText('Configuration saved.').first()).toBeVisible();

    await secondPage.context().clearCookies();
    strange.person = { nameId: 'the other', email: `other@${domain}`, name: 'Otto Other' };
    await secondPage.goto(`/sign-in/company?domain=${domain}`);
    await secondPage.getByRole('link', { name: 'Continue with Acme SAML' }).click();
    await goOn(secondPage);
    await expect(secondPage).toHaveURL(/\/dashboard$/);
    await page.goto('/dashboard/admin/members');
    await expect(main.getByText('Otto Other').first()).toBeVisible();
  } finally {
    await idp.close();
    await strange.close();
  }
});
