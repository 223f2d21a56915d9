import { createHmac, randomUUID } from 'node:crypto';
import { expect, expectAccessible, sendRefused, signIn, test } from '#tests/e2e/support/journey.ts';
import { startRegistry } from '#tests/e2e/support/registry.ts';
import { connectModel, startServices } from '#tests/e2e/support/services.ts';
import { startOauthPeer } from '#tests/integration/support/oauth-peer.ts';

test('a builder installs a server from the catalogue and connects a model with its price', async ({ page }, { project }) => {
  const services = await startServices();
  await signIn(page, 'builder');

  await page.goto('/dashboard/marketplace');
  await page.getByLabel('Search servers', { exact: true }).fill('context7');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('link', { name: 'Context7' }).click();
  await expect(page.getByRole('heading', { name: 'What it asks for' })).toBeVisible();
  await page.getByRole('button', { name: 'Install as pending connection' }).click();
  await expect(page.getByText('Installed as a pending connection').first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Pending');

  const name = `Models ${project.name}`;
  const model = await connectModel(page, services, name);
  await expect(page.getByRole('main')).toContainText('small-1');
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Model', { exact: true }).selectOption('small-1');
  await page.getByLabel('Input tokens').fill('2');
  await page.getByLabel('Output tokens').fill('8');
  await page.getByRole('button', { name: 'Save the price' }).click();
  await expect(page.getByText('Price saved.').first()).toBeVisible();
  await page.goto(model);
  await expect(page.getByText('Per million tokens: $2.00 in, $8.00 out')).toBeVisible();

  await page.getByRole('link', { name: 'Rotate the key' }).click();
  await page.getByLabel('New key or token').fill('wrong');
  await page.getByRole('button', { name: 'Check and ask' }).click();
  await expect(page.getByRole('alert')).toContainText('The token was refused');
  await services.stop();
});

test('a builder connects a server that takes nothing but a sign-in, and comes back from it to its tools', async ({ page }) => {
  const guarded = await startOauthPeer({
    tools: [{ name: 'read_ledger', description: 'Reads the ledger', run: () => ({ content: [{ type: 'text', text: 'done' }] }) }],
    asks: true,
  });
  const { host } = new URL(guarded.issuer);
  await signIn(page, 'builder');
  await page.goto('/dashboard/plugins/new');
  await page.getByLabel('Name', { exact: true }).fill(`Ledger ${randomUUID().slice(0, 8)}`);
  await page.getByLabel('Address', { exact: true }).fill(guarded.endpoint);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(`Sign in at ${host} to use this connection`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: `Sign in at ${host}` }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText(`Signed in at ${host}. The connection is ready.`).first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText('read_ledger');
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('Signed in');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out' }).last().click();
  await expect(page.getByText('Signed out. The tokens were deleted.').first()).toBeVisible();
  await guarded.stop();
});

test('another system starts a run by a signed call, and a schedule shows its times until it is paused', async ({ page, request }) => {
  const name = randomUUID().slice(0, 8);
  await signIn(page, 'builder');
  const main = page.locator('main');
  const row = (of: string) => main.getByRole('row').filter({ has: page.getByRole('rowheader', { name: of }) });

  await page.goto('/dashboard/workflows/advanced');
  await main.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`Hook ${name}`);
  await page.getByLabel('Workflow', { exact: true }).selectOption({ label: 'Records request' });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
  const body = JSON.stringify({
    request: 'The minutes of the meeting, please.',
    record: 'Present: Maria Keller.',
    received: '2026-10-01',
    today: '2026-10-12',
  });
  const call = (key: string) => {
    const seconds = Math.floor(Date.now() / 1000);
    const mac = createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
      .update(`msg_1.${seconds}.${body}`)
      .digest('base64');
    const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${mac}` };
    return request.post(address, { data: body, headers: { 'Content-Type': 'application/json', ...signed } });
  };
  expect((await call('whsec_YSBndWVzcw==')).status()).toBe(401);
  const answer = await call(secret);
  expect(answer.status(), await answer.text()).toBe(202);
  const started: { run: string } = await answer.json();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await row(`Hook ${name}`).locator(`a[href="/dashboard/runs/${started.run}"]`).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The minutes of the meeting, please.');

  await page.goto('/dashboard/workflows/advanced/new-schedule');
  await page.getByLabel('Name', { exact: true }).fill(`Nightly ${name}`);
  await page.getByLabel('Workflow', { exact: true }).selectOption({ label: 'Records request' });
  await page.getByLabel('Times (cron)').fill('61 9 1 1 *');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByLabel('Input').fill(body);
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await expect(page.getByLabel('Times (cron)')).toHaveValue('61 9 1 1 *');
  await expect(page.getByLabel('Times (cron)')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Times (cron)').fill('30 9 1 1 *');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await expect(row(`Nightly ${name}`)).toContainText(/Jan 1, \d{4}, 9:30 AM/);
  await page.getByRole('button', { name: `Pause Nightly ${name}` }).click();
  await expect(row(`Nightly ${name}`)).toContainText('Inactive');
  await expect(row(`Nightly ${name}`)).not.toContainText('9:30 AM');
  await page.getByRole('button', { name: `Resume Nightly ${name}` }).click();
  await expect(row(`Nightly ${name}`)).toContainText(/Jan 1, \d{4}, 9:30 AM/);

  await test.step('both are paused at once, and the notice takes it back', async () => {
    for (const one of [`Nightly ${name}`, `Hook ${name}`]) await row(one).getByRole('checkbox').check();
    await main.getByRole('button', { name: 'Pause', exact: true }).click();
    for (const one of [`Nightly ${name}`, `Hook ${name}`]) await expect(row(one)).toContainText('Inactive');
    await main.getByRole('button', { name: 'Undo', exact: true }).click();
    for (const one of [`Nightly ${name}`, `Hook ${name}`]) await expect(row(one)).toContainText('Active');
  });
  for (const one of [`Nightly ${name}`, `Hook ${name}`]) {
    await row(one)
      .getByRole('link', { name: `Delete ${one}` })
      .click();
    await expect(page.getByText('Are you sure you want to delete this item?')).toBeVisible();
    await main.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page).toHaveURL(/\/workflows\/advanced$/);
    await expect(row(one)).toHaveCount(0);
  }
});

test('a builder brings the servers of a registry into the marketplace, filters them, installs one and takes the registry out', async ({
  page,
}, { project }) => {
  const name = `registry-${project.name.replaceAll(' ', '-')}`;
  let version = '1.0.0';
  const registry = await startRegistry(() => {
    const entry = (title: string, more: object) => ({
      server: {
        name: `example.acme/${title.toLowerCase().replaceAll(' ', '-')}`,
        title,
        description: 'Knows our parts.',
        version,
        ...more,
      },
    });
    return [
      entry('Parts desk', { remotes: [{ type: 'streamable-http', url: `https://${name}.example/mcp` }] }),
      entry('Parts shelf', { packages: [{ registryType: 'npm', identifier: '@acme/shelf', transport: { type: 'stdio' } }] }),
      'junk',
    ];
  });
  const { address } = registry;
  await signIn(page, 'builder');
  const main = page.locator('main');

  await page.goto('/dashboard/marketplace/registries');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Address', { exact: true }).fill(`${address}/nothing?x=1#y`.replace('127.0.0.1', '127.0.0.2'));
  await sendRefused(page.getByRole('button', { name: 'Read and add' }));
  await expect(page.getByRole('alert')).toContainText('Nothing responds at this address');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Read and add' }).click();
  await expect(page.getByText('Registry added. These are its servers.').first()).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Ready to connect' })).toBeVisible();
  await expect(main.getByText('2 servers')).toBeVisible();
  await expectAccessible(page);

  const facets = page.getByRole('navigation', { name: 'Narrow down' });
  await facets.getByRole('link', { name: /^Runs on your machine/ }).click();
  await expect(page).toHaveURL(/reach=local/);
  await expect(main.getByRole('link', { name: 'Parts shelf' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Parts desk' })).toHaveCount(0);
  await facets.getByRole('link', { name: /^Runs on your machine/ }).click();
  await main.getByRole('link', { name: 'Parts desk' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Parts desk' })).toBeVisible();
  await expect(main.getByText('1.0.0')).toBeVisible();
  await expect(main.getByText('The tools are read when you connect')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Parts shelf' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Install as pending connection' }).click();
  await expect(page.getByText('Installed as a pending connection').first()).toBeVisible();

  version = '2.0.0';
  await page.goto('/dashboard/marketplace/registries');
  const item = main.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(item).toContainText('1 unreadable entry left out');
  await item.getByRole('button', { name: /^Refresh/ }).click();
  await expect(page.getByText('Registry refreshed.').first()).toBeVisible();
  await item.getByRole('link', { name }).click();
  await main.getByRole('link', { name: 'Parts desk' }).click();
  await expect(main.getByText('2.0.0')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open the connection' })).toBeVisible();
  await registry.stop();

  await page.goto('/dashboard/marketplace/registries');
  await item.getByRole('button', { name: /^Refresh/ }).click();
  await expect(main.getByText(`${name} could not be read. Its earlier servers are still listed.`)).toBeVisible();
  await item.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('Registry removed.').first()).toBeVisible();
  await expect(item).toHaveCount(0);
});
