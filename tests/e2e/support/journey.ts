import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, test as base, expect, type Locator, type Page, type Response } from '@playwright/test';
import type { Language } from '#app/domain/web/languages.ts';
import { caughtMails, mailboxToken } from '#tests/support/caught-mails.ts';

/** Noise of a browser that no page of ours can prevent: a refused form is an answer of 4xx, which Chromium reports. */
const EXPECTED = /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_BLOCKED_BY_CLIENT)/;

/**
 * `page` and `secondPage` (the browser of another person) are pages on which a stray console error, an exception or a
 * refused script fails the test.
 */
export const test = base.extend<{ secondPage: Page; scripts: 'as set' | 'blocked' | 'late' }>({
  scripts: ['as set', { option: true }],
  page: async ({ page, scripts }, use) => {
    const silent = expectSilence(page.context());
    await holdScripts(page.context(), scripts);
    await use(page);
    silent();
  },
  secondPage: async ({ browser, scripts }, use) => {
    const context = await browser.newContext();
    const silent = expectSilence(context);
    const page = await context.newPage();
    await holdScripts(context, scripts);
    await use(page);
    silent();
    await context.close();
  },
});

const SCRIPTS = '**/assets/**/*.js';
const LATE_MS = 10_000;

/** `QUORATE_SLOW_MACHINE=on` plays a machine that is out of breath: each script is late, and each page six times slower. */
const SLOW_MACHINE = process.env.QUORATE_SLOW_MACHINE === 'on';
const SLOW_LATE_MS = 1500;
const SLOWER = 6;

/** What a firewall does to scripts, or a slow line: the page is used before they arrive. */
async function holdScripts(context: BrowserContext, scripts: 'as set' | 'blocked' | 'late'): Promise<void> {
  if (scripts === 'blocked') {
    // One that is gone before it was told needs none.
    context.on('page', (page) => void blockScripts(page).catch(() => undefined));
    for (const page of context.pages()) await blockScripts(page);
  }
  if (scripts === 'late') await delayScripts(context, LATE_MS);
  if (SLOW_MACHINE && scripts === 'as set') {
    await delayScripts(context, SLOW_LATE_MS);
    context.on('page', (page) => void slowDown(page));
    for (const page of context.pages()) await slowDown(page);
  }
}

/** By the browser itself: with a route of Playwright's it would have to ask about each request, and keep nothing for the next page. */
async function blockScripts(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/assets/*.js'] });
}

async function delayScripts(context: BrowserContext, ms: number): Promise<void> {
  await context.route(SCRIPTS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    // The page may have been left meanwhile.
    await route.continue().catch(() => undefined);
  });
}

async function slowDown(page: Page): Promise<void> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined);
  await session?.send('Emulation.setCPUThrottlingRate', { rate: SLOWER }).catch(() => undefined);
}

/**
 * When a navigation replaces another whose data are still being streamed, the router's decoder rejects the parts that had not arrived and the
 * end of its stream. Nobody awaits those, so the browser reports each. A page can neither catch nor prevent it.
 */
const GIVEN_UP = 'signal is aborted without reason';

function expectSilence(context: BrowserContext): () => void {
  const faults: string[] = [];
  context.on('weberror', (error) => {
    if (error.error().message !== GIVEN_UP) faults.push(`exception at ${error.page()?.url()}: ${error.error().message}`);
  });
  context.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !EXPECTED.test(message.text()))
      faults.push(`console at ${message.page()?.url()}: ${message.text()}`);
  });
  return () => expect(faults, 'the page was not silent').toEqual([]);
}

export { expect };

/** The same person in a browser that is set to this language, as silent as the first. Closing it tells whether it was. */
export async function openIn(page: Page, language: Language): Promise<{ page: Page; close(): Promise<void> }> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser of its own');
  const context = await browser.newContext({ locale: language, storageState: await page.context().storageState() });
  const silent = expectSilence(context);
  const own = await context.newPage();
  return {
    page: own,
    async close() {
      silent();
      await context.close();
    },
  };
}

/** As long as the slowest screen of a machine that is busy with other things. */
const STALL_MS = 180_000;
let began = 0;

/** For a walk of many screens: it may take as long as it likes, but has to come to the next screen within three minutes. */
export function beginWalk(): void {
  began = performance.now();
  stillWalking();
}

export function stillWalking(): void {
  // Where scripts come late, a screen takes longer on its own.
  base.setTimeout(performance.now() - began + Math.max(STALL_MS, base.info().project.timeout));
}

export type DemoAccount = { email: string; password: string; name: string; roles: string[] };

type DemoRole = 'builder' | 'approver' | 'auditor' | 'admin';

/** The person of the demo workspace with this role besides `user`. */
export function demoAccount(role: DemoRole): DemoAccount {
  const accounts: DemoAccount[] = JSON.parse(readFileSync(join(process.env.QUORATE_E2E_DATA ?? '', 'demo-accounts.json'), 'utf8'));
  const found = accounts.find((account) => account.roles.includes(role));
  if (found === undefined) throw new Error(`no demo account is ${role}`);
  return found;
}

/** Whether the pages of this project run scripts. */
export function withScripts(): boolean {
  return scriptsOf() === 'as set' || scriptsOf() === 'late';
}

/**
 * Waits until a page has loaded and painted some frames: by then it has asked for what it asks for of itself.
 * A network that is idle would say the same, but of a request that a navigation cuts off Playwright may never see the end.
 */
export async function pageRests(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  });
}

/** Waits until the whole page listens. What is pressed before goes the way of a page without scripts. */
export async function scriptsArrive(page: Page, timeout = 60_000): Promise<void> {
  await page.waitForFunction(
    () => {
      const kept = (of: object | null, name: string) => Object.entries(of ?? {}).find(([key]) => key.startsWith(name))?.[1];
      const page = kept(document, '__reactContainer$')?.stateNode.current.memoizedState;
      if (page?.isDehydrated !== false || kept(document.querySelector('h1'), '__reactFiber$') === undefined) return false;
      // Parts of a page come to life one by one, each from its mark on.
      const marks = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
      while (marks.nextNode()) {
        const { data, nextSibling } = marks.currentNode as Comment;
        const drawn = nextSibling instanceof Element && nextSibling.localName !== 'script';
        if (data === '$' && drawn && kept(nextSibling, '__reactFiber$') === undefined) return false;
      }
      return true;
    },
    undefined,
    { timeout },
  );
}

/** How scripts reach the pages of this project: not at all, taken away on the way, 10 s late, or as they should. */
export function scriptsOf(): 'none' | 'blocked' | 'late' | 'as set' {
  const use: { javaScriptEnabled?: boolean | undefined; scripts?: 'as set' | 'blocked' | 'late' } = base.info().project.use;
  return use.javaScriptEnabled === false ? 'none' : (use.scripts ?? 'as set');
}

/** For a journey that takes longer than others, `ms` in all. Where scripts come late it has more time as it is. */
export function takesUpTo(ms: number): void {
  base.setTimeout(Math.max(ms, base.info().timeout));
}

/** Gives the browser of a page a session of the demo workspace's person with this role. The page stays what it is. */
export async function signIn(page: Page, role: DemoRole): Promise<DemoAccount> {
  const account = demoAccount(role);
  const form = { email: account.email, password: account.password };
  const answer = await page.request.post('/auth?mode=sign-in', { form, maxRedirects: 0 });
  expect(answer.status(), `the answer to ${role} signing in`).toBe(303);
  return account;
}

/** The same, and opens the dashboard, whose scripts are there unless they come late. */
export async function openDashboard(page: Page, role: DemoRole): Promise<DemoAccount> {
  const account = await signIn(page, role);
  await page.goto('/dashboard');
  if (scriptsOf() === 'as set') await scriptsArrive(page);
  return account;
}

/** The same as a person does it, through the form: for journeys about signing in, and about what the page then does. */
export async function signInByForm(page: Page, role: DemoRole): Promise<DemoAccount> {
  const account = demoAccount(role);
  await page.goto('/auth');
  if (scriptsOf() === 'as set') await scriptsArrive(page);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  return account;
}

/**
 * Presses a button whose form is refused: what is sent is answered 400, and the error summary has the focus. With scripts the browser may
 * refuse on its own, and nothing is sent.
 */
export async function sendRefused(button: Locator): Promise<void> {
  const page = button.page();
  const statuses: number[] = [];
  const note = (response: Response) => {
    if (response.request().method() === 'POST') statuses.push(response.status());
  };
  page.on('response', note);
  await button.click();
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeFocused();
  page.off('response', note);
  if (!withScripts()) expect(statuses).toHaveLength(1);
  expect(statuses.filter((status) => status !== 400)).toEqual([]);
}

/** The server that all journeys share. */
export function sharedServer(): { origin: string; dataDirectory: string } {
  return { origin: process.env.QUORATE_E2E_ORIGIN ?? '', dataDirectory: process.env.QUORATE_E2E_DATA ?? '' };
}

/** Opens the mailbox of the server that all journeys share, by the address that its start prints. */
export async function openMailbox(page: Page): Promise<void> {
  await page.goto(`/dev/mailbox?token=${mailboxToken(sharedServer().dataDirectory)}`);
  await expect(page).toHaveURL(/\/dev\/mailbox$/);
}

/** The newest caught mail to an address (with these words in its subject and its text), waiting for it to come. */
export async function newestMail(to: string, subject = '', words = ''): Promise<{ subject: string; text: string }> {
  let found: { to: string; subject: string; text: string } | undefined;
  await expect(async () => {
    found = (await caughtMails(sharedServer())).find(
      (mail) => mail.to === to && mail.subject.includes(subject) && mail.text.includes(words),
    );
    expect(found).toBeDefined();
  }).toPass({ timeout: 60_000 });
  if (found === undefined) throw new Error('no mail came');
  return found;
}

// The one that the builder brings, minified.
const axeSource = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA as far as a machine can tell, for a journey: without scripts it passes the same pages, which the walk of the screens checks. */
export async function expectAccessible(page: Page): Promise<void> {
  if (withScripts()) await checkAccessibility(page, page.url());
}

/** Further rows of a list, made as those before them: `npm run test:full` looks into all of them. */
const REPEATED = process.env.QUORATE_TEST_FULL === undefined ? ['tbody > tr:nth-child(n + 5)', 'main li:nth-child(n + 6)'] : [];

/**
 * The same of any page on which a script of the tests may run; `at` says where a fault is. `apart`: parts that are not looked into, beyond
 * what the page as a whole is asked.
 */
export async function checkAccessibility(
  page: Page,
  at: string,
  options: { without?: readonly string[]; only?: readonly string[]; apart?: readonly string[] } = {},
): Promise<void> {
  // Its own way opens a further page each time, for frames of other origins, which we have none of: twice as slow.
  // The checker is half a megabyte: brought once a page, however often it looks.
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axeSource} })()`);
  // A message that is fading in or out has other colours than the ones people read, also if it arrives during the check.
  const still = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  });
  await page.evaluate(async () => {
    // One that follows the scrolling of a picture ends with nothing.
    const ends = document
      .getAnimations()
      .filter(
        ({ effect, playState, timeline }) =>
          playState === 'running' && timeline === document.timeline && effect?.getTiming().iterations !== Infinity,
      );
    await Promise.allSettled(ends.map(({ finished }) => finished));
  });
  const checker = new AxeBuilder({ page, axeSource: 'true' }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (options.only !== undefined) checker.withRules([...options.only]);
  else checker.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  if (options.without !== undefined) checker.disableRules([...options.without]);
  for (const part of [...REPEATED, ...(options.apart ?? [])]) checker.exclude(part);
  const { violations } = await checker.analyze();
  await still.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  });
  const found = violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect.soft(found, at).toEqual([]);
}

/** Publishes the draft whose editor is open: the page that shows what changes, and its button. */
export async function publishDraft(page: Page): Promise<void> {
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Publish', exact: true }).click();
  await main
    .getByRole('button', { name: /^Publish version \d+$/ })
    .first()
    .click();
  await expect(page).not.toHaveURL(/\/publish(\?|$)/);
}
