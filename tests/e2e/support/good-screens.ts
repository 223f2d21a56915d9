import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { HtmlValidate } from 'html-validate';
import { directionOf, isLanguage, LANGUAGES, type Language } from '#app/domain/web/languages.ts';
import { checkAccessibility, expect, openIn, scriptsArrive, scriptsOf, stillWalking, test } from '#tests/e2e/support/journey.ts';
import { LOOKED_AT } from '#tests/support/looked-at.ts';

/** Faults that a browser or a screen reader stumbles over; not how React writes its elements. */
const html = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // A table whose rows are drawn as cards says its roles again, since Safari forgets them with the drawing.
    'no-redundant-role': 'off',
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

/** `npm run test:full`: the whole product of screens, languages, themes and widths, and not each rule once. */
export const FULL = process.env.QUORATE_TEST_FULL !== undefined;
const THEMES = FULL ? (['light', 'dark'] as const) : (['light'] as const);
/** 320 px is what 1280 px leave at 400 %, 640 px at 200 %. */
const NARROW = FULL ? [640, 320] : [360];

/**
 * In `npm test` one language of each direction, beside each other: in English the page as it is served, whose scripts never arrive, in Arabic
 * what scripts make of it. In full all six, or those that `QUORATE_TEST_LANGUAGES` names; texts that come without scripts or before them are the same.
 */
function languagesNow(): readonly Language[] {
  if (!FULL) return ['en', 'ar'];
  const named = process.env.QUORATE_TEST_LANGUAGES?.split(',').filter(isLanguage);
  if (named !== undefined) return named;
  switch (scriptsOf()) {
    case 'late':
      return ['en'];
    case 'blocked':
      return ['en', 'ar'];
    default:
      return LANGUAGES;
  }
}

/** Addresses that were looked at, over all tests: a failed one ends the process that looked. */
export function visitedScreens(): string[] {
  return existsSync(visitedFile()) ? readFileSync(visitedFile(), 'utf8').trim().split('\n') : [];
}
const visitedFile = () => join(process.env.QUORATE_E2E_DATA ?? '', 'visited-screens.txt');

/** Looks at screens one after another, wide and as narrow as a phone. */
export async function expectGoodScreens(page: Page, paths: readonly string[], status = 200) {
  test.info().annotations.push({ type: LOOKED_AT, description: String(paths.length * languagesNow().length) });
  const titles = new Map<string, string>();
  const browsers = new Map<Language, Awaited<ReturnType<typeof openIn>>>();
  const lookIn = async (on: Page, path: string, language: Language) => {
    stillWalking();
    const scripts = on === page ? scriptsOf() : 'as set';
    const title = await expectGoodScreen(on, { path, language, status, scripts, apart: !FULL && path !== paths[0] ? SHELL : [] });
    expect.soft(titles.get(`${language} ${title}`), `${path} has the title of another screen`).toBeUndefined();
    titles.set(`${language} ${title}`, path);
  };
  const look = (on: Page, path: string) =>
    test.step(path, async () => {
      appendFileSync(visitedFile(), `${path.replace(/[?#].*/, '')}\n`);
      const inTurns = async () => {
        for (const language of languagesNow()) if (!browsers.has(language)) await lookIn(on, path, language);
      };
      // Languages with a browser of their own beside each other.
      await Promise.all([inTurns(), ...[...browsers].map(([language, browser]) => lookIn(browser.page, path, language))]);
    });
  if (scriptsOf() === 'late') return lookSideBySide(page, paths, look);
  // What scripts make of a language may hang on that of the browser: it has the reader's. That of the tests is English.
  if (scriptsOf() === 'as set' || !FULL)
    for (const language of languagesNow()) if (language !== 'en') browsers.set(language, await openIn(page, language));
  for (const path of paths) await look(page, path);
  for (const browser of browsers.values()) await browser.close();
}

/** Screens whose scripts are awaited: most of the time nothing happens. */
const SIDE_BY_SIDE = 8;

async function lookSideBySide(page: Page, paths: readonly string[], look: (on: Page, path: string) => Promise<void>) {
  const waiting = [...paths];
  const lane = async () => {
    const own = await page.context().newPage();
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await look(own, path);
    await own.close();
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
}

/** The same on all screens of one reader: looked into once, for it is half of what a checker finds on a page. */
const SHELL = ['#areas', '#top-bar'];

type Look = { path: string; language: Language; status: number; scripts: ReturnType<typeof scriptsOf>; apart: readonly string[] };

async function expectGoodScreen(page: Page, { path, language, status, scripts, apart }: Look): Promise<string> {
  const at = `${path} (${language})`;
  await page.setViewportSize({ width: 1280, height: 800 });
  // What fades in has no contrast yet.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light', forcedColors: 'none' });
  const response = await page.goto(`${path}${path.includes('?') ? '&' : '?'}lng=${language}`, {
    waitUntil: scripts === 'late' ? 'commit' : 'load',
  });
  expect.soft(response?.status(), at).toBe(status);
  await expect.soft(page.locator('html'), at).toHaveAttribute('dir', directionOf(language));
  await expect.soft(page.getByRole('heading', { level: 1 }), at).toHaveCount(1);
  await expect.soft(page.locator('body'), at).not.toContainText('Loading');
  if (directionOf(language) === 'rtl')
    expect.soft(await emptyFieldsFromLeft(page), `${at}: empty fields that begin at the left`).toEqual([]);
  const served = (await response?.text()) ?? '';
  // What is served is the same to all: it is read once, in another language with other words alone.
  const first = FULL || language === 'en';
  if (first && scripts === (FULL ? 'none' : 'blocked')) expect.soft(await faultsOf(served), at).toEqual([]);
  if (scripts === 'blocked') expect.soft(await missingTexts(page, served), `${at}: served, but not shown`).toEqual([]);
  if (scripts === 'as set' || scripts === 'late') {
    // Late ones bring others that are late in their turn.
    await scriptsArrive(page);
    // A run that is under way continues between the two.
    if (!path.startsWith('/dashboard/runs/'))
      expect.soft(await missingTexts(page, served), `${at}: served, but gone with scripts`).toEqual([]);
  }
  if (scripts === 'as set') await expectAccessibleThemes(page, at, apart);
  // Colours and sizes are those of the first language.
  if (!FULL && scripts === 'blocked') await checkAccessibility(page, at, { apart, without: first ? [] : [...COLOURS, 'target-size'] });
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: 740 });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(needed, `${at}: wider than ${width} px`).toBeLessThanOrEqual(width);
  }
  if (FULL && scripts === 'as set') {
    await expectAccessibleThemes(page, `${at}, 320 px`, apart);
    await page.emulateMedia({ forcedColors: 'active' });
    await checkAccessibility(page, `${at}, 320 px, forced colours`, { only: COLOURS });
  }
  return page.title();
}

/** What a theme changes: colours, and nothing else of what the checker looks at. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

async function expectAccessibleThemes(page: Page, at: string, apart: readonly string[]) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    if (colorScheme === 'dark') await checkAccessibility(page, `${at}, dark`, { only: COLOURS });
    // Looking at colours and sizes takes longer than all else, and the walk of what is served does.
    else await checkAccessibility(page, `${at}, light`, { without: FULL ? [] : [...COLOURS, 'target-size'], apart });
  }
}

async function faultsOf(source: string): Promise<string[]> {
  const { results } = await html.validateString(source);
  const faults = results.flatMap((result) => result.messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`));
  return [...new Set(faults)];
}

/** Empty fields for words of the reader's language; what is left to right in every language says so itself. */
function emptyFieldsFromLeft(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:is([type="text"], [type="search"]), textarea')]
      .filter((field) => field.value === '' && field.dir !== 'ltr' && getComputedStyle(field).direction !== 'rtl')
      .map((field) => field.name || field.id),
  );
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
