/** `npm run dev` and `npm run dev:mocked`, started as a developer starts them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { texts } from '#app/platform/i18n/texts.server.ts';
import { SCENARIOS, type Scenario } from '#tests/mocks/scenarios.ts';
import { type RunningServer, startRunningServer } from '#tests/support/running-server.ts';

const BOOT_MS = 600_000;
const PAGES = {
  '/': ['public', 'hero.title'],
  '/auth': ['auth', 'signInTitle'],
  '/pricing': ['offer', 'pricing.title'],
  '/compliance': ['product', 'pages.compliance.title'],
  '/docs/mocking': ['mocking', 'title'],
} as const;
const LANGUAGES = ['en', 'ar'] as const;

type Tree = { [key: string]: string | Tree };
function* leavesOf(tree: Tree, above = ''): Generator<[string, string]> {
  for (const [key, node] of Object.entries(tree))
    if (typeof node === 'string') yield [above + key, node];
    else yield* leavesOf(node, `${above}${key}.`);
}
/** Those that no text could be by chance: 'signInTitle', 'hero.title'. */
const KEYS = new Set(
  Object.values(texts.en as Tree)
    .flatMap((tree) => [...leavesOf(tree as Tree)].map(([key]) => key))
    .filter((key) => /[a-z][A-Z.]/.test(key)),
);

const textOf = (namespace: string, key: string, language: string) =>
  [...leavesOf((texts[language] as Tree)[namespace] as Tree)].find(([path]) => path === key)?.[1];
const unescaped = (html: string) =>
  html.replace(/&(?:#x27|amp|quot|lt|gt);/g, (entity) => ({ '&#x27;': "'", '&amp;': '&', '&quot;': '"', '&lt;': '<' })[entity] ?? '>');
/** The texts between the tags, as a reader meets them. */
const readable = (html: string) =>
  unescaped(html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, '\n'))
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '');

async function expectTexts(server: RunningServer): Promise<void> {
  for (const language of LANGUAGES)
    for (const [path, [namespace, key]] of Object.entries(PAGES)) {
      const shown = readable(await (await fetch(`${server.origin}${path}?lng=${language}`)).text());
      expect.soft(shown, `${path} in ${language}`).toContain(textOf(namespace, key, language));
      expect
        .soft(
          shown.filter((text) => KEYS.has(text)),
          `${path} in ${language}`,
        )
        .toEqual([]);
    }
}

// The other command shows the same pages from the same sources, and takes a minute of both processors less.
if (process.env.QUORATE_TEST_FULL !== undefined)
  describe('npm run dev', () => {
    test(
      'shows texts, and no keys, on five pages in two languages',
      async () => {
        const server = await startRunningServer({ how: 'dev', readyMs: BOOT_MS });
        try {
          await expectTexts(server);
        } finally {
          await server.remove();
        }
      },
      BOOT_MS,
    );
  });

describe('npm run dev:mocked', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startRunningServer({ how: 'mocked', readyMs: BOOT_MS });
  }, BOOT_MS);
  afterAll(() => server.remove(), BOOT_MS);

  const ask = (path: string, scenario: Scenario, init: { cookie?: string; form?: Record<string, string> } = {}) =>
    fetch(`${server.origin}${path}`, {
      redirect: 'manual',
      headers: { 'X-Quorate-Scenario': scenario, Origin: server.origin, Cookie: init.cookie ?? '' },
      ...(init.form === undefined ? {} : { method: 'POST', body: new URLSearchParams(init.form) }),
    });
  const signIn = (scenario: Scenario, email = 'builder@demo.quorate.example') =>
    ask('/auth', scenario, { form: { form: 'sign-in', email, password: 'mocked password' } });
  let strangers = 0;
  /** Each someone else: who was told to wait is told so by the product until then, whatever the project would answer. */
  const signUp = (scenario: Scenario) =>
    ask('/auth?mode=sign-up', scenario, {
      form: { form: 'sign-up', name: 'Ada', email: `stranger-${++strangers}@stranger.example`, password: 'correct horse battery' },
    });
  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  const shownBy = async (response: Response) => readable(await response.text()).join('\n');

  test('shows texts, and no keys, on five pages in two languages', () => expectTexts(server), BOOT_MS);

  test('offers every scenario, and keeps the choice for the browser', async () => {
    const page = await (await fetch(`${server.origin}/dev/scenarios`)).text();
    for (const scenario of SCENARIOS) expect(page).toContain(`value="${scenario}"`);
    const chosen = await fetch(`${server.origin}/dev/scenarios`, {
      method: 'POST',
      body: new URLSearchParams({ scenario: 'unavailable' }),
      redirect: 'manual',
    });
    const cookie = cookiesOf(chosen);
    expect(await (await fetch(`${server.origin}/dev/scenarios`, { headers: { Cookie: cookie } })).text()).toContain(
      '<strong>unavailable</strong>',
    );
    const body = new URLSearchParams({ form: 'sign-in', email: 'builder@demo.quorate.example', password: 'mocked password' });
    const refused = await fetch(`${server.origin}/auth`, { method: 'POST', body, headers: { Cookie: cookie, Origin: server.origin } });
    expect(refused.status).toBe(503);
  });

  const EFFECTS: Record<Scenario, () => Promise<void>> = {
    none: async () => {
      const signedIn = await signIn('none');
      expect(signedIn.headers.get('Location')).toBe('/dashboard');
      const dashboard = await ask('/dashboard?lng=ar', 'none', { cookie: cookiesOf(signedIn) });
      const shown = readable(await dashboard.text());
      expect(shown).toContain(textOf('dashboard', 'title', 'ar'));
      expect(shown.filter((text) => KEYS.has(text))).toEqual([]);
    },
    'wrong-password': async () => {
      const refused = await signIn('wrong-password');
      expect(refused.status).toBe(400);
      expect(await shownBy(refused)).toContain('The e-mail or the password is not right');
    },
    unconfirmed: async () => expect((await signIn('unconfirmed')).status).toBe(400),
    'weak-password': async () => {
      expect((await signUp('weak-password')).status).toBe(400);
      expect((await signUp('none')).status).toBe(303);
    },
    'rate-limited': async () => {
      expect((await signIn('rate-limited')).status).toBe(429);
      expect(await shownBy(await signUp('rate-limited'))).toContain('Try again in 47 seconds');
    },
    'session-not-found': async () => {
      const cookie = cookiesOf(await signIn('none', 'approver@demo.quorate.example'));
      expect((await ask('/dashboard', 'none', { cookie })).status).toBe(200);
      expect((await ask('/dashboard', 'session-not-found', { cookie })).headers.get('Location')).toBe('/auth');
    },
    slow: async () => {
      const began = performance.now();
      expect((await signIn('slow')).status).toBe(303);
      expect(performance.now() - began).toBeGreaterThan(4_900);
    },
    unavailable: async () => expect(await shownBy(await signIn('unavailable'))).toContain('does not answer'),
    'network-cut': async () => expect((await signIn('network-cut')).status).toBe(503),
    // The role falls back to the least, and the name to the account's: the contract of the handlers says that the row is missing.
    'profile-missing': async () => {
      const cookie = cookiesOf(await signIn('profile-missing', 'auditor@demo.quorate.example'));
      const page = await ask('/dashboard/account/profile', 'profile-missing', { cookie });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('value="Ora Auditor"');
    },
  };
  test.each(SCENARIOS)('plays the scenario %s', (scenario) => EFFECTS[scenario](), BOOT_MS);

  test(
    'a change of a handler takes effect without a restart',
    async () => {
      const file = join(import.meta.dirname, '..', '..', 'mocks', 'handlers', 'sign-up.ts');
      const written = await readFile(file, 'utf8');
      expect(written).toContain('tooManyMails(47)');
      try {
        await writeFile(file, written.replace('tooManyMails(47)', 'tooManyMails(41)'));
        await expect.poll(async () => shownBy(await signUp('rate-limited'))).toContain('Try again in 41 seconds');
      } finally {
        await writeFile(file, written);
      }
      await expect.poll(async () => shownBy(await signUp('rate-limited'))).toContain('Try again in 47 seconds');
    },
    BOOT_MS,
  );
});
