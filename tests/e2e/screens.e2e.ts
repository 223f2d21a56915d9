import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { matchPath } from 'react-router';
import routes from '#app/routes.ts';
import { expectGoodScreens, FULL, visitedScreens } from '#tests/e2e/support/good-screens.ts';
import { beginWalk, expect, newestMail, openMailbox, scriptsOf, signIn, test } from '#tests/e2e/support/journey.ts';
import { closeToHere } from '#tests/e2e/support/network-rule.ts';
import { startRegistry } from '#tests/e2e/support/registry.ts';
import { connectModel, connectPeer, connectService, startServices } from '#tests/e2e/support/services.ts';
import { cancelRun, findLink, startLoopRun, startTaskRun, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';
import { startOauthPeer } from '#tests/integration/support/oauth-peer.ts';
import { startStrangerServer } from '#tests/support/stranger-peers.ts';

test.beforeEach(() => beginWalk());

test('what anybody can open', async ({ page }) => {
  await openMailbox(page);
  await expectGoodScreens(page, [
    '/',
    '/newsletter',
    '/workflows',
    '/compliance',
    '/analytics',
    '/pricing',
    '/contact?topic=demo',
    '/evidence',
    '/docs',
    '/docs/connect',
    '/docs/api',
    '/docs/self-hosting',
    '/docs/verify',
    '/docs/mocking',
    '/legal/imprint',
    '/legal/privacy',
    '/legal/terms',
    '/legal/cookies',
    '/accessibility',
    '/auth',
    '/auth?mode=sign-up',
    '/auth/confirm?sent=signup',
    '/auth/confirm?sent=other-mailbox',
    '/auth/mail',
    '/auth/mail?sent=1',
    '/auth/factor',
    '/sign-in/company?domain=nobody.example&failed=unreachable',
    '/reset-password',
    '/dev/mailbox',
  ]);
  // Without a sign-in under way it leads to its beginning.
  await expectGoodScreens(page, ['/sign-in/company/link']);
  await expectGoodScreens(page, ['/nothing-here', '/invitations/unknown'], 404);
});

test('what a builder writes', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const screening = await findLink(page, '/dashboard/workflows?q=Payment%20screening', '/dashboard/workflows');
  await expectGoodScreens(page, [
    '/dashboard',
    '/dashboard/arrange',
    '/dashboard/workflows',
    '/dashboard/workflows/new',
    '/dashboard/workflows/import',
    '/dashboard/workflows/templates',
    await makeWebhook(page),
    '/dashboard/workflows/advanced',
    '/dashboard/workflows/advanced/new-schedule',
    '/dashboard/workflows/advanced/new-webhook',
    workflow,
    `${workflow}/edit`,
    `${workflow}/edit/input`,
    `${workflow}/edit/settings`,
    `${workflow}/edit/samples`,
    `${workflow}/edit/json`,
    `${workflow}/edit/add`,
    `${workflow}/edit/step/redact`,
    `${workflow}/edit/step/assess`,
    `${workflow}/edit/step/release`,
    `${screening}/edit/step/checks`,
    `${workflow}/versions/1`,
    `${workflow}/run`,
    `${workflow}/run?mode=test`,
    `${workflow}/delete`,
  ]);
  // The editor once more, as it answers when publishing was refused.
  await expectGoodScreens(page, [`${workflow}/publish`]);
});

test('what a builder runs and connects', async ({ page }) => {
  await signIn(page, 'builder');
  const plugin = await findLink(page, '/dashboard/plugins', '/dashboard/plugins');
  const agent = await findLink(page, '/dashboard/agents?owner=all', '/dashboard/agents');
  const ended = await cancelRun(page);
  const { run, approval } = await startWaitingRun(page);
  const loop = await startLoopRun(page);
  const asking = await startTaskRun(page, 'Purchase');
  const revokedKey = await makeKey(page);
  const authored = await makeAgent(page);
  const asked = await clientAsks(page);
  const gateway = await makeGateway(page);
  await expectGoodScreens(page, [
    asked,
    '/dashboard/runs?status=failed',
    `/dashboard/runs/several?do=cancel&run=${run.split('/').at(-1)}`,
    run,
    `${loop.run}?step=each_supplier&open=output`,
    loop.items,
    loop.item,
    asking.run,
    asking.task,
    `${asking.task}/pass`,
    `${asking.draft}/step/details`,
    `${asking.draft}/step/nothing`,
    `${ended}/again`,
    `${ended}/change?step=redact`,
    `${ended}/compare`,
    '/dashboard/notifications',
    '/dashboard/notifications/preferences',
    '/dashboard/approvals',
    approval,
    `${approval}/talk`,
    `${approval}/withdraw`,
    `${approval}/together`,
    `${approval}/record`,
    '/dashboard/agents',
    '/dashboard/agents/new',
    '/dashboard/agents/monitoring',
    agent,
    `${agent}/limits`,
    `${agent}/disconnect`,
    '/dashboard/agents?owner=all',
    '/dashboard/agents/authored/new',
    authored,
    `${authored}/edit`,
    `${authored}/run?mode=test`,
    `${authored}/delete`,
    '/dashboard/plugins',
    '/dashboard/plugins/new',
    '/dashboard/plugins/local',
    plugin,
    `${plugin}/limits`,
    `${plugin}/disconnect`,
    '/dashboard/plugins/gateways',
    '/dashboard/plugins/gateways/new',
    gateway.page,
    `${gateway.page}/add?q=redact`,
    `${gateway.page}/delete`,
    gateway.tool,
    `${gateway.tool}/remove`,
    '/dashboard/dev-console',
    '/dashboard/dev-console/inspector?capability=quorate-tools%2Fdetect_personal_data',
    await inspectCall(page),
    '/dashboard/account',
    '/dashboard/account/profile',
    '/dashboard/account/profile/picture',
    '/dashboard/account/preferences',
    '/dashboard/account/sessions',
    '/dashboard/appearance',
    '/dashboard/help',
    '/dashboard/help?q=approval',
    '/dashboard/help/connect-a-tool',
    '/dashboard/help/halt-the-workspace',
    '/dashboard/help/design',
    '/dashboard/account/api-keys',
    '/dashboard/account/api-keys/new',
    revokedKey,
    `/dashboard/account/api-keys/revoke?key=${revokedKey.split('/').at(-2)}`,
    '/dashboard/account/security',
    '/dashboard/account/security/factor',
    '/dashboard/account/security/passkeys',
    '/dashboard/account/data',
    '/dashboard/account/data/delete',
    '/auth/sign-out',
  ]);
  await expectGoodScreens(page, ['/dashboard/my-agents']);
  await expectGoodScreens(page, ['/dashboard/nothing-here'], 404);
});

test('what a builder reaches', async ({ page, secondPage }) => {
  const services = await startServices();
  await signIn(page, 'builder');
  const model = await connectModel(page, services, 'Model server');
  await signIn(secondPage, 'approver');
  await secondPage.goto(model);
  await secondPage.getByRole('checkbox', { name: /^Choose .* for approval$/ }).check();
  await secondPage.getByRole('button', { name: 'Approve selected' }).click();
  await expect(secondPage.getByText('Approved. Workflows can call it now.').first()).toBeVisible();
  const agent = await publishAgent(page);
  const service = await connectService(page, services, 'Automation');
  const server = await startStrangerServer({ tools: [] });
  const plugin = await connectPeer(page, '/dashboard/plugins', `${server.origin}/mcp`);
  const guarded = await startOauthPeer({ tools: [], asks: true });
  await page.goto('/dashboard/plugins/new');
  await page.getByLabel('Name', { exact: true }).fill('Ledger of screens');
  await page.getByLabel('Address', { exact: true }).fill(guarded.endpoint);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/ to use this connection/).first()).toBeVisible();
  const asking = new URL(page.url()).pathname;
  const registry = await startRegistry(() => [
    { server: { name: 'example.acme/parts-desk', title: 'Parts desk', description: 'Knows our parts.', version: '1.0.0' } },
  ]);
  await page.goto('/dashboard/marketplace/registries');
  await page.getByLabel('Name', { exact: true }).fill('Registry of screens');
  await page.getByLabel('Address', { exact: true }).fill(registry.address);
  await page.getByRole('button', { name: 'Read and add' }).click();
  const listed = page.locator('main').getByRole('link', { name: 'Parts desk' });
  await listed.waitFor();
  const entry = (await listed.getAttribute('href')) ?? '';
  await expectGoodScreens(page, [
    '/dashboard/marketplace?q=github',
    '/dashboard/marketplace/github',
    '/dashboard/marketplace/registries',
    entry,
    '/dashboard/llm-hub',
    '/dashboard/llm-hub/new',
    model,
    `${model}/prices`,
    `${model}/limits`,
    `${model}/rotate`,
    `${model}/disconnect`,
    agent,
    `${agent}/versions/1`,
    '/dashboard/plugins/integrations',
    '/dashboard/plugins/integrations/new',
    service,
    `${service}/rotate`,
    `${plugin}/rotate`,
    `${asking}/sign-in`,
    `${service}/limits`,
    `${service}/disconnect`,
  ]);
  await Promise.all([services.stop(), server.stop(), registry.stop(), guarded.stop()]);
});

test('what a builder finds out', async ({ page }) => {
  await signIn(page, 'builder');
  const decision = await findLink(page, '/dashboard/ai-reasoning', '/dashboard/ai-reasoning');
  await expectGoodScreens(page, [
    '/dashboard/analytics',
    '/dashboard/analytics/advanced',
    '/dashboard/ai-orchestration?task=Detect+personal+data+in+a+text&inputs=text',
    '/dashboard/ai-orchestration/process-intelligence',
    '/dashboard/ai-orchestration/process-optimization',
    '/dashboard/ai-reasoning',
    decision,
    `${decision}/what-if`,
  ]);
});

/** Calls one tool in the Dev Console and answers where its frames stand. */
async function inspectCall(page: Page): Promise<string> {
  await page.goto('/dashboard/dev-console/inspector');
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Frames' })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** A gateway with one tool: its page and that of the tool. */
async function makeGateway(page: Page): Promise<{ page: string; tool: string }> {
  await page.goto('/dashboard/plugins/gateways/new');
  await page.getByLabel('Name', { exact: true }).fill('Gateway of the screens');
  await page.getByRole('button', { name: 'Create gateway' }).click();
  await page.getByRole('checkbox', { name: /detect_personal_data/ }).check();
  await page.getByRole('button', { name: 'Add selected' }).click();
  const tool = page.getByRole('link', { name: 'detect_personal_data' });
  await tool.waitFor();
  return { page: new URL(page.url()).pathname, tool: (await tool.getAttribute('href')) ?? '' };
}

/** A webhook, and its secret once; answers where it is deleted. */
async function makeWebhook(page: Page): Promise<string> {
  await page.goto('/dashboard/workflows/advanced/new-webhook');
  await page.getByLabel('Name', { exact: true }).fill('Screens');
  await page.getByLabel('Workflow', { exact: true }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  return (await page.getByRole('link', { name: 'Delete Screens' }).first().getAttribute('href')) ?? '';
}

/** An agent that lacks nearly everything: its page says what. Returns its address. */
async function makeAgent(page: Page): Promise<string> {
  await page.goto('/dashboard/agents/authored/new');
  await page.getByLabel('Name', { exact: true }).fill('Agent for the screens');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Agent for the screens' })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** One with everything, and a version of it. */
async function publishAgent(page: Page): Promise<string> {
  await page.goto('/dashboard/agents/authored/new');
  await page.getByLabel('Name', { exact: true }).fill('Published for the screens');
  await page.getByLabel('Instructions').fill('Answer in one sentence.');
  await page.getByLabel('Model', { exact: true }).selectOption({ label: 'small-1 · Model server' });
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('heading', { name: 'Version 1, in force' })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** A client begins to sign in; answers the page where the person is asked. */
async function clientAsks(page: Page): Promise<string> {
  const back = 'http://127.0.0.1:9/callback';
  const registered = await page.request.post('/oauth/reg', { data: { client_name: 'Desk assistant', redirect_uris: [back] } });
  const { client_id: client } = (await registered.json()) as { client_id: string };
  const challenge = createHash('sha256').update('a verifier that is long enough to be one').digest('base64url');
  const query = { client_id: client, redirect_uri: back, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };
  await page.goto(`/oauth/auth?${new URLSearchParams(query)}`);
  await expect(page.getByRole('heading', { level: 1, name: /Desk assistant/ })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** Makes a key and answers where it is revoked. */
async function makeKey(page: Page): Promise<string> {
  await page.goto('/dashboard/account/api-keys/new');
  await page.getByLabel('Name').fill('For the screens');
  await page.getByRole('button', { name: 'Create an API key' }).click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  return (await page.getByRole('link', { name: 'Revoke For the screens' }).first().getAttribute('href')) ?? '';
}

test('what an approver decides by', async ({ page, secondPage }) => {
  await signIn(secondPage, 'builder');
  await startWaitingRun(secondPage);
  await signIn(page, 'approver');
  const approval = await findLink(page, '/dashboard/approvals', '/dashboard/approvals');
  // The full inbox; the secret of a webhook is there once an address is.
  await page.goto('/dashboard/notifications/preferences');
  await page.getByLabel('Address').fill('https://hooks.example.org/quorate');
  await page.getByRole('button', { name: 'Save webhook' }).click();
  await expect(page.getByRole('link', { name: 'Show the signing secret' })).toBeVisible();
  await expectGoodScreens(page, [
    '/dashboard',
    '/dashboard/arrange',
    '/dashboard/notifications',
    '/dashboard/notifications/preferences/secret',
    '/dashboard/search',
    '/dashboard/search?q=recrods',
    '/dashboard/approvals',
    '/dashboard/approvals/deputies',
    approval,
  ]);
});

test('what an admin rules', async ({ page }) => {
  await page.goto('/contact');
  const form = page.locator('#contact-form');
  await form.getByLabel('Your name').fill('Ada Winter');
  await form.getByLabel('E-mail address').fill('ada@example.com');
  await form.getByLabel('Message').fill('We would like to see a payment screened.');
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Message received.').first()).toBeVisible();
  await signIn(page, 'admin');
  const request = await findLink(page, '/dashboard/admin/contact-requests', '/dashboard/admin/contact-requests');
  const member = await findLink(page, '/dashboard/admin/members', '/dashboard/admin/members');
  const policy = await findLink(page, '/dashboard/policies', '/dashboard/policies');
  await page.goto(policy);
  await page.getByLabel('Reason', { exact: true }).fill('It holds up payments that were screened.');
  await page.getByRole('button', { name: 'Ask to pause', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/changes\/[^/]+$/);
  const change = new URL(page.url()).pathname;
  await page.goto('/dashboard/policies/compliance/incidents/new');
  await page.getByLabel('Title', { exact: true }).fill('A payment to the wrong account');
  await page.getByLabel('What happened', { exact: true }).fill('A refund went to another account.');
  await page.getByLabel('Noticed at').fill(`${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T10:30`);
  await page.getByLabel('Severity').selectOption('High');
  await page.getByLabel('DORA').check();
  await page.getByRole('button', { name: 'Record incident' }).click();
  await expect(page).toHaveURL(/\/incidents\/[0-9a-f-]{36}$/);
  const incident = new URL(page.url()).pathname;
  const agent = await findLink(page, '/dashboard/agents/inventory', '/dashboard/agents/inventory');
  const provider = await addProvider(page);
  const token = await makeDirectoryToken(page);
  await expectGoodScreens(page, [
    '/dashboard/policies/compliance/incidents',
    '/dashboard/policies/compliance/incidents/new',
    incident,
    `${incident}/report`,
    `${incident}/assess`,
    '/dashboard/policies/compliance/attest/stop',
    '/dashboard/agents/inventory',
    agent,
    `${agent}/assessment`,
    '/dashboard/admin',
    '/dashboard/admin/members',
    '/dashboard/admin/members/invite',
    '/dashboard/admin/health',
    '/dashboard/admin/halt',
    '/dashboard/admin/tenant',
    '/dashboard/admin/sign-in',
    '/dashboard/admin/sign-in/new',
    '/dashboard/admin/sign-in/new-saml',
    '/dashboard/admin/sign-in/saml',
    '/dashboard/admin/sign-in/groups',
    provider,
    // Nobody has signed in for a test.
    `${provider}/test`,
    '/dashboard/admin/provisioning',
    token,
    '/dashboard/admin/provisioning/new',
    '/dashboard/admin/billing',
    '/dashboard/admin/billing/starter',
    '/dashboard/admin/monitoring',
    '/dashboard/admin/performance',
    '/dashboard/admin/security',
    '/dashboard/admin/contact-requests',
    request,
    member,
    `${member}/remove`,
    '/dashboard/admin/api-keys',
    '/dashboard/account/workspaces/new',
    '/dashboard/notifications/deliveries',
    '/dashboard/changes',
    change,
    `${change}/record`,
    '/dashboard/policies',
    '/dashboard/policies/new',
    '/dashboard/policies/compliance',
    '/dashboard/policies/compliance?part=laws',
    '/dashboard/policies/compliance?part=dates',
    '/dashboard/policies/compliance/gdpr',
    policy,
    `${policy}/edit`,
    `${policy}/replay`,
    `${policy}/versions/1`,
    `${policy}/edit/new-rule`,
    `${policy}/edit/rules/high_risk_finding`,
    `${policy}/edit/examples/new`,
  ]);
  await expectGoodScreens(page, ['/dashboard/admin-tools']);
  await page.goto(change);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.locator('main').getByText('Withdrawn. Nothing changed.', { exact: true })).toBeVisible();
  // No webhook, no secret.
  await expectGoodScreens(page, ['/dashboard/admin/tenant/secret'], 404);
});

/** A provider that nobody has tested; answers its page. */
async function addProvider(page: Page): Promise<string> {
  await page.goto('/dashboard/admin/sign-in/new');
  await page.getByLabel('Name', { exact: true }).fill('Acme login');
  await page.getByLabel('Issuer address').fill('https://login.example.com');
  await page.getByLabel('Client ID').fill('quorate');
  await page.getByLabel('Client secret').fill('a secret of the provider');
  await page.getByRole('button', { name: 'Save provider' }).click();
  await expect(page.locator('main').getByText('Not tested yet')).toBeVisible();
  const link = page.locator('main').getByRole('link', { name: 'Acme login' }).first();
  return (await link.count()) > 0 ? ((await link.getAttribute('href')) ?? '') : new URL(page.url()).pathname;
}

/** A token of the directory; answers where it is revoked. */
async function makeDirectoryToken(page: Page): Promise<string> {
  await page.goto('/dashboard/admin/provisioning/new');
  await page.getByLabel('Name', { exact: true }).fill('Directory of screens');
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  return (await page.getByRole('link', { name: 'Revoke Directory of screens' }).first().getAttribute('href')) ?? '';
}

test('what an auditor reads', async ({ page, secondPage }) => {
  await signIn(secondPage, 'builder');
  await startWaitingRun(secondPage);
  await signIn(page, 'auditor');
  const event = await findLink(page, '/dashboard/audit', '/dashboard/audit');
  const run = await findLink(page, '/dashboard/runs', '/dashboard/runs');
  const today = new Date().toISOString().slice(0, 10);
  await expectGoodScreens(page, [
    '/dashboard/audit',
    '/dashboard/audit/checkpoints',
    '/dashboard/audit/proof',
    '/dashboard/audit/export?kind=log&from=0&until=9',
    `/dashboard/audit/packs?framework=ai-act&from=${today}&until=${today}&seed=screens`,
    event,
    run.replace('/runs/', '/audit/runs/'),
  ]);
});

// What has rows in the demo workspace has none in that of someone who came a minute ago.
if (FULL)
  test('what a workspace shows in which nothing is yet', async ({ page }) => {
    await signUp(page, `first-day-${scriptsOf().replace(' ', '-')}@example.com`);
    await expectGoodScreens(page, [
      '/dashboard',
      '/dashboard/arrange',
      '/dashboard/workflows',
      '/dashboard/workflows/templates',
      '/dashboard/workflows/advanced',
      '/dashboard/workflows/advanced/new-schedule',
      '/dashboard/workflows/advanced/new-webhook',
      '/dashboard/runs',
      '/dashboard/approvals',
      '/dashboard/approvals/deputies',
      '/dashboard/notifications',
      '/dashboard/notifications/preferences',
      '/dashboard/notifications/deliveries',
      '/dashboard/search',
      '/dashboard/search?q=nothing+like+it',
      '/dashboard/agents',
      '/dashboard/agents/monitoring',
      '/dashboard/plugins',
      '/dashboard/plugins/integrations',
      '/dashboard/llm-hub',
      '/dashboard/marketplace?q=nothing+like+it',
      '/dashboard/dev-console',
      '/dashboard/dev-console/inspector',
      '/dashboard/analytics',
      '/dashboard/analytics/advanced',
      '/dashboard/ai-orchestration',
      '/dashboard/ai-orchestration/process-intelligence',
      '/dashboard/ai-orchestration/process-optimization',
      '/dashboard/ai-reasoning',
      '/dashboard/changes',
      '/dashboard/policies',
      '/dashboard/policies/compliance',
      '/dashboard/audit',
      '/dashboard/audit/checkpoints',
      '/dashboard/audit/proof',
      '/dashboard/audit/packs',
      '/dashboard/admin',
      '/dashboard/admin/members',
      '/dashboard/admin/health',
      '/dashboard/admin/halt',
      '/dashboard/admin/tenant',
      '/dashboard/admin/billing',
      '/dashboard/admin/monitoring',
      '/dashboard/admin/performance',
      '/dashboard/admin/security',
      '/dashboard/admin/api-keys',
      '/dashboard/account',
      '/dashboard/account/profile',
      '/dashboard/account/sessions',
      '/dashboard/account/api-keys',
      '/dashboard/account/security',
      '/dashboard/account/data',
      '/dashboard/help?q=nothing+like+it',
    ]);
  });

/** Ends on the dashboard of a workspace of one's own. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/auth?mode=sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.locator('main').getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Check your email');
  const { text } = await newestMail(email);
  await page.goto(/\/auth\/confirm\?\S+/.exec(text)?.[0] ?? '/auth/confirm');
  await page.locator('main').getByRole('button').first().click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

test('what a rule of the workspace shows', async ({ page }) => {
  const email = `few-${scriptsOf().replace(' ', '-')}@example.com`;
  await signUp(page, email);
  await expectGoodScreens(page, ['/auth/factor/setup']);
  const workspace = await closeToHere(email);
  await expectGoodScreens(page, [`/auth/elsewhere?workspace=${workspace}`]);
});

/** It takes a passkey, which takes scripts: the journey of passkeys looks at it. */
const LOOKED_AT_BY_JOURNEYS = ['/dashboard/account/security/passkeys/:passkey'];

test('every screen of the product was looked at', async () => {
  type Entry = { path?: string | undefined; file: string; children?: Entry[] | undefined };
  const screensOf = (entries: readonly Entry[], base: string): string[] =>
    entries.flatMap(({ path, file, children }) => {
      const address = [base, path].filter(Boolean).join('/');
      if (children !== undefined) return screensOf(children, address);
      return file.endsWith('.tsx') ? [`/${address}`] : [];
    });
  const looked = visitedScreens();
  const missing = screensOf((await routes) as Entry[], '').filter(
    (pattern) => !LOOKED_AT_BY_JOURNEYS.includes(pattern) && !looked.some((path) => matchPath(pattern, path)),
  );
  expect(missing).toEqual([]);
});
