import type { Page } from '@playwright/test';
import { expect, signIn, test } from '#tests/e2e/support/journey.ts';
import { findLink, startTaskRun, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';

// A recording looks at what is hidden too, and the browser fetches faces for it.
test.use({ trace: 'off' });

/** Requests that one address may cause, the page itself included: each request costs a phone a journey of its own. */
const MOST_REQUESTS = 20;

/** All that this address asks for in a browser that has kept nothing, without the origin, until nothing more is under way. */
async function requestsOf(page: Page, path: string): Promise<string[]> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
  const asked: string[] = [];
  const note = (request: { url(): string }) => {
    const { protocol, pathname, search } = new URL(request.url());
    if (protocol.startsWith('http')) asked.push(`${pathname}${search}`);
  };
  page.on('request', note);
  // The last that a page asks for, once its scripts run.
  const listening = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/events'));
  await page.goto(path);
  await listening;
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  return asked;
}

async function expectFewRequests(page: Page, paths: readonly string[]) {
  for (const path of paths)
    await test.step(path, async () => {
      const asked = await requestsOf(page, path);
      expect(asked.length, `${path} asks for its scripts`).toBeGreaterThan(10);
      expect.soft(asked.length, `${path} asks for ${asked.join('\n')}`).toBeLessThanOrEqual(MOST_REQUESTS);
    });
}

const below = (area: string, ...paths: string[]) => paths.map((path) => `/dashboard${area}${path}`);

/** Every page's files are counted in the build (`tests/architecture/app-page-files`). What a browser makes of them is seen on a page of each kind; in full on all. */
const FULL = process.env.QUORATE_TEST_FULL !== undefined;

test('a page of each kind that a builder opens needs no more than 20 requests, in full each of them @scripts', { tag: '@rare' }, async ({
  page,
}) => {
  await signIn(page, 'builder');
  const { workflow, run } = await startWaitingRun(page);
  const { task } = await startTaskRun(page, 'Purchase with few requests');
  await expectFewRequests(page, ['/dashboard', '/dashboard/runs', `${workflow}/edit`, run, task, '/dashboard/marketplace']);
  if (!FULL) return;
  const ended = await findLink(page, '/dashboard/runs?status=completed', '/dashboard/runs');
  const plugin = await findLink(page, '/dashboard/plugins', '/dashboard/plugins');
  await expectFewRequests(page, [
    ...below('/workflows', '', '/new', '/import', '/templates', '/advanced', '/advanced/new-schedule'),
    workflow,
    ...['edit/add', 'edit/json', 'edit/samples', 'publish', 'versions/1', 'run'].map((part) => `${workflow}/${part}`),
    '/dashboard/runs?status=failed',
    ...[ended, `${ended}/again`, `${ended}/compare`],
    ...below('/agents', '', '/new', '/monitoring', '/authored/new'),
    ...below('/plugins', '', '/new', '/local', '/integrations'),
    plugin,
    ...below('/llm-hub', '', '/new'),
    ...below('', '/search?q=review', '/notifications', '/notifications/preferences', '/dev-console', '/dev-console/inspector'),
    ...below('/help', '', '/connect-a-tool', '/design'),
    ...below('/account', '', '/profile', '/preferences', '/security', '/api-keys/new'),
  ]);
});

test('a page of each kind that an admin or an approver opens needs no more than 20 requests, in full each of them @scripts', {
  tag: '@rare',
}, async ({ page }) => {
  await signIn(page, 'approver');
  const approval = await findLink(page, '/dashboard/approvals', '/dashboard/approvals');
  await expectFewRequests(page, ['/dashboard/approvals', approval]);
  await signIn(page, 'admin');
  const policy = await findLink(page, '/dashboard/policies', '/dashboard/policies');
  await expectFewRequests(page, ['/dashboard/admin', '/dashboard/analytics', `${policy}/edit`]);
  if (!FULL) return;
  const decision = await findLink(page, '/dashboard/ai-reasoning', '/dashboard/ai-reasoning');
  await expectFewRequests(page, [
    ...below(
      '/admin',
      '/members',
      '/members/invite',
      '/health',
      '/api-keys',
      '/halt',
      '/tenant',
      '/billing',
      '/monitoring',
      '/performance',
    ),
    '/dashboard/analytics/advanced',
    ...below('/ai-orchestration', '', '/process-intelligence', '/process-optimization'),
    ...['/dashboard/ai-reasoning', decision],
    ...below('/policies', '', '/new', '/compliance', '/compliance/gdpr'),
    ...[policy, `${policy}/edit/new-rule`],
    ...below('/audit', '', '/checkpoints'),
  ]);
});

test('the page of a run under way holds one stream, and reads its data once more @scripts', async ({ page }) => {
  await signIn(page, 'builder');
  const { run } = await startWaitingRun(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const again = page.waitForRequest((request) => new URL(request.url()).pathname === `${run}.data`);
  await page.goto(run);
  await again;
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.endsWith('/events'))).toEqual([`${run}/events`]);
  expect(asked.filter((path) => path.endsWith('.data'))).toEqual([`${run}.data`]);
});
