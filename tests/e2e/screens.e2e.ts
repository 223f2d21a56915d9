import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { matchPath } from 'react-router';
import { directionOf, LANGUAGES, type Language } from '#app/domain/languages.ts';
import routes from '#app/routes.ts';
import { expect, expectAccessible, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';
import { connectModel, connectPeer, connectService, startServices } from '#tests/e2e/support/services.ts';
import { cancelRun, findLink, startWaitingRun } from '#tests/e2e/support/waiting-run.ts';
import { startStrangerServer } from '#tests/support/stranger-peers.ts';

/** Faults that a browser or a screen reader stumbles over; not how React writes its elements. */
const html = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-implicit-button-type': 'error',
    'no-inline-style': 'off',
    'no-redundant-for': 'off',
    'no-trailing-whitespace': 'off',
    'prefer-native-element': 'off',
    'require-sri': 'off',
    // Sidebar and drawer hold the same areas; one of them is there at a time.
    'unique-landmark': 'off',
    'void-style': 'off',
  },
});

const full = process.env.QUORATE_TEST_FULL !== undefined;

/**
 * In `npm test` each rule once on each screen, in one language of each direction; what a page without scripts shows is what is
 * served to all, so one language says it. In `npm run test:full` the whole product.
 */
const languagesOf = (): readonly Language[] => (full ? LANGUAGES : withScripts() ? ['en', 'ar'] : ['en']);
const themes = full ? (['light', 'dark'] as const) : (['light'] as const);
/** 320 px is what 1280 px leave at 400 %, 640 px at 200 %. */
const narrow = full ? [320, 640] : [360];

/** Addresses that were looked at, over all tests of this file. */
const visited = new Set<string>();

/** Looks at screens one after another, wide and as narrow as a phone. */
async function expectGoodScreens(page: Page, paths: readonly string[], status = 200) {
  const titles = new Map<string, string>();
  for (const path of paths) {
    await test.step(path, async () => {
      visited.add(path.replace(/[?#].*/, ''));
      for (const language of languagesOf()) {
        const title = await expectGoodScreen(page, path, language, status);
        expect.soft(titles.get(`${language} ${title}`), `${path} has the title of another screen`).toBeUndefined();
        titles.set(`${language} ${title}`, path);
      }
    });
  }
}

async function expectGoodScreen(page: Page, path: string, language: Language, status: number): Promise<string> {
  const at = `${path} (${language})`;
  await page.setViewportSize({ width: 1280, height: 800 });
  // What fades in has no contrast yet.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const response = await page.goto(`${path}${path.includes('?') ? '&' : '?'}lng=${language}`);
  expect.soft(response?.status(), at).toBe(status);
  await expect.soft(page.locator('html'), at).toHaveAttribute('dir', directionOf(language));
  await expect.soft(page.getByRole('heading', { level: 1 }), at).toHaveCount(1);
  await expect.soft(page.locator('body'), at).not.toContainText('Loading');
  const served = (await response?.text()) ?? '';
  // What is served is the same to all: it is read once.
  if (language === 'en' && !withScripts()) expect.soft(await faultsOf(served), at).toEqual([]);
  if (withScripts()) {
    await page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__reactFiber')));
    // A run that is under way goes on between the two.
    if (!path.startsWith('/dashboard/runs/'))
      expect.soft(await missingTexts(page, served), `${at}: served, but gone with scripts`).toEqual([]);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      // The colours of a screen are the same in every language, and looking at them takes longer than all else.
      await expectAccessible(page, `${at}, ${colorScheme}`, { contrast: full || language === 'en' });
    }
  }
  for (const width of narrow) {
    await page.setViewportSize({ width, height: 740 });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(needed, `${at}: wider than ${width} px`).toBeLessThanOrEqual(width);
    if (full && width === 320)
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${at}, ${colorScheme}, ${width} px`);
      }
  }
  return page.title();
}

async function faultsOf(source: string): Promise<string[]> {
  const { results } = await html.validateString(source);
  const faults = results.flatMap((result) => result.messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`));
  return [...new Set(faults)];
}

/** Texts of the served page that the page with scripts does not show: there must be none, one reads the same either way. */
function missingTexts(page: Page, served: string): Promise<string[]> {
  return page.evaluate((source) => {
    const textsOf = (root: Element | null) => {
      const texts: string[] = [];
      const walker = document.createTreeWalker(root ?? document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
        if (text !== '') texts.push(text);
      }
      return texts;
    };
    const live = new Set(textsOf(document.querySelector('main')));
    const parsed = new DOMParser().parseFromString(source, 'text/html');
    // What stands there for whoever runs no scripts is not shown to who does.
    for (const only of parsed.querySelectorAll('noscript')) only.remove();
    return textsOf(parsed.querySelector('main')).filter((text) => !live.has(text));
  }, served);
}

test.describe.configure({ timeout: full ? 3_600_000 : 240_000 });

test('what anybody can open', async ({ page }) => {
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
    '/auth/factor',
    '/reset-password',
    '/dev/mailbox',
  ]);
  await expectGoodScreens(page, ['/nothing-here', '/invitations/unknown'], 404);
});

test('what a builder writes', async ({ page }) => {
  await signIn(page, 'builder');
  const workflow = await findLink(page, '/dashboard/workflows?q=Records', '/dashboard/workflows');
  const screening = await findLink(page, '/dashboard/workflows?q=Payment', '/dashboard/workflows');
  await expectGoodScreens(page, [
    '/dashboard',
    '/dashboard/workflows',
    '/dashboard/workflows/new',
    '/dashboard/workflows/templates',
    await makeWebhook(page),
    '/dashboard/workflows/advanced',
    '/dashboard/workflows/advanced/new-schedule',
    '/dashboard/workflows/advanced/new-webhook',
    workflow,
    `${workflow}/edit`,
    `${workflow}/edit/input`,
    `${workflow}/edit/settings`,
    `${workflow}/edit/json`,
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
  const agent = await findLink(page, '/dashboard/agents', '/dashboard/agents');
  const ended = await cancelRun(page);
  const { run, approval } = await startWaitingRun(page);
  const revokedKey = await makeKey(page);
  await expectGoodScreens(page, [
    '/dashboard/runs',
    run,
    `${ended}/again`,
    '/dashboard/notifications',
    '/dashboard/notifications/preferences',
    '/dashboard/approvals',
    approval,
    `${approval}/withdraw`,
    '/dashboard/agents',
    '/dashboard/agents/new',
    '/dashboard/agents/monitoring',
    agent,
    `${agent}/disconnect`,
    '/dashboard/plugins',
    '/dashboard/plugins/new',
    plugin,
    `${plugin}/disconnect`,
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
    '/dashboard/account/security',
    '/dashboard/account/security/factor',
    '/dashboard/account/data',
    '/dashboard/account/data/delete',
    '/auth/sign-out',
  ]);
  await expectGoodScreens(page, ['/dashboard/my-agents']);
  await expectGoodScreens(page, ['/dashboard/nothing-here'], 404);
});

test.describe('with what this machine offers', () => {
  test.use({ baseURL: process.env.QUORATE_E2E_OPEN_ORIGIN });

  test('what a builder reaches', async ({ page }) => {
    const services = await startServices();
    await signIn(page, 'builder', process.env.QUORATE_E2E_OPEN_DATA);
    const model = await connectModel(page, services, 'Model server');
    const service = await connectService(page, services, 'Automation');
    const server = await startStrangerServer({ tools: [] });
    const plugin = await connectPeer(page, '/dashboard/plugins', `${server.origin}/mcp`);
    await expectGoodScreens(page, [
      '/dashboard/marketplace?q=github',
      '/dashboard/marketplace/github',
      '/dashboard/llm-hub',
      '/dashboard/llm-hub/new',
      model,
      `${model}/prices`,
      `${model}/rotate`,
      `${model}/disconnect`,
      '/dashboard/plugins/integrations',
      '/dashboard/plugins/integrations/new',
      service,
      `${service}/rotate`,
      `${plugin}/rotate`,
      `${service}/disconnect`,
    ]);
    await Promise.all([services.stop(), server.stop()]);
  });
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

/** Makes a key and answers where it is revoked. */
/** A webhook, and its secret once; answers where it is deleted. */
async function makeWebhook(page: Page): Promise<string> {
  await page.goto('/dashboard/workflows/advanced/new-webhook');
  await page.getByLabel('Name', { exact: true }).fill('Screens');
  await page.getByLabel('Workflow', { exact: true }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  return (await page.getByRole('link', { name: 'Delete Screens' }).first().getAttribute('href')) ?? '';
}

async function makeKey(page: Page): Promise<string> {
  await page.goto('/dashboard/account/api-keys/new');
  await page.getByLabel('Name').fill('For the screens');
  await page.getByRole('button', { name: 'Create an API key' }).click();
  await page.getByRole('link', { name: 'I have stored it' }).click();
  return (await page.getByRole('link', { name: 'Revoke For the screens' }).first().getAttribute('href')) ?? '';
}

test('what an approver decides by', async ({ page }) => {
  await signIn(page, 'approver');
  const approval = await findLink(page, '/dashboard/approvals', '/dashboard/approvals');
  // The full inbox; the secret of a webhook is there once an address is.
  await page.goto('/dashboard/notifications/preferences');
  await page.getByLabel('Address').fill('https://hooks.example.org/quorate');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByRole('link', { name: 'Show the signing secret' })).toBeVisible();
  await expectGoodScreens(page, [
    '/dashboard',
    '/dashboard/notifications',
    '/dashboard/notifications/preferences/secret',
    '/dashboard/search',
    '/dashboard/search?q=recrods',
    '/dashboard/approvals',
    approval,
  ]);
});

test('what an admin rules', async ({ page }) => {
  await signIn(page, 'admin');
  const member = await findLink(page, '/dashboard/admin/members', '/dashboard/admin/members');
  const policy = await findLink(page, '/dashboard/policies', '/dashboard/policies');
  await expectGoodScreens(page, [
    '/dashboard/admin',
    '/dashboard/admin/members',
    '/dashboard/admin/members/invite',
    '/dashboard/admin/health',
    '/dashboard/admin/halt',
    '/dashboard/admin/tenant',
    '/dashboard/admin/billing',
    '/dashboard/admin/billing/starter',
    '/dashboard/admin/monitoring',
    '/dashboard/admin/performance',
    '/dashboard/admin/security',
    member,
    `${member}/remove`,
    '/dashboard/admin/api-keys',
    '/dashboard/account/workspaces/new',
    '/dashboard/notifications/deliveries',
    '/dashboard/policies',
    '/dashboard/policies/new',
    '/dashboard/policies/compliance',
    '/dashboard/policies/compliance/gdpr',
    policy,
    `${policy}/edit`,
    `${policy}/replay`,
  ]);
  await expectGoodScreens(page, ['/dashboard/admin-tools']);
  // No webhook, no secret.
  await expectGoodScreens(page, ['/dashboard/admin/tenant/secret'], 404);
});

test('what an auditor reads', async ({ page }) => {
  await signIn(page, 'auditor');
  const event = await findLink(page, '/dashboard/audit', '/dashboard/audit');
  const run = await findLink(page, '/dashboard/runs', '/dashboard/runs');
  await expectGoodScreens(page, ['/dashboard/audit', '/dashboard/audit/checkpoints', event, run.replace('/runs/', '/audit/runs/')]);
});

test('every screen of the product was looked at', async () => {
  type Entry = { path?: string | undefined; file: string; children?: Entry[] | undefined };
  const screensOf = (entries: readonly Entry[], base: string): string[] =>
    entries.flatMap(({ path, file, children }) => {
      const address = [base, path].filter(Boolean).join('/');
      if (children !== undefined) return screensOf(children, address);
      return file.endsWith('.tsx') ? [`/${address}`] : [];
    });
  const looked = [...visited];
  const missing = screensOf((await routes) as Entry[], '').filter((pattern) => !looked.some((path) => matchPath(pattern, path)));
  expect(missing).toEqual([]);
});
