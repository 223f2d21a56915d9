import { createInstance } from 'i18next';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { interpolation, numberFormatter } from '#app/platform/i18n/interpolation.server.ts';
import { NAMESPACES } from '#app/platform/i18n/namespaces.ts';
import { createPageTexts, type TextTree } from '#app/platform/i18n/page-texts.ts';
import { texts } from '#app/platform/i18n/texts.server.ts';

const COUNTS = [0, 1, 2, 3, 6, 11, 20, 21, 100, 101, 1_000_000, 1.5, -1];
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

const oneFromMemory = async (language: string, namespace: string) => (texts[language]?.[namespace] ?? {}) as TextTree;
const fromMemory = async (language: string, namespaces: readonly string[]) =>
  Object.fromEntries(await Promise.all(namespaces.map(async (name) => [name, await oneFromMemory(language, name)] as const)));

async function both(language: string) {
  const i18next = createInstance({
    resources: texts,
    lng: language,
    fallbackLng: false,
    ns: [...NAMESPACES],
    initAsync: false,
    interpolation,
  }).use(numberFormatter);
  await i18next.init();
  const ours = createPageTexts(language, fromMemory);
  await ours.load(NAMESPACES);
  return { i18next, ours };
}

function leavesOf(tree: TextTree, above = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, node]) =>
    typeof node === 'string' ? [[above + key, node] as [string, string]] : leavesOf(node, `${above}${key}.`),
  );
}

/** For each place a text or a number, with what could be taken for a place, a nesting or a tag. */
function valuesFor(text: string): Record<string, unknown> {
  const names = [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name, place) => [name, place % 2 ? place : '<b> & {{count}} $t(common:productName)\u200B\u202E']));
}

describe.each(LANGUAGES)('texts in the browser: %s', (language) => {
  it('reads every text as i18next does on the server', async () => {
    const { i18next, ours } = await both(language);
    const different: string[] = [];
    for (const namespace of NAMESPACES) {
      const theirs = i18next.getFixedT(language, namespace) as (key: string, values: object) => string;
      const t = ours.translatorOf(namespace);
      for (const [key, text] of leavesOf(await oneFromMemory(language, namespace))) {
        const values = valuesFor(text);
        const base = key.replace(PLURAL, '');
        const asked = base === key ? [values, {}] : COUNTS.map((count) => ({ ...values, count }));
        for (const given of asked)
          if (t(base, given) !== theirs(base, given)) different.push(`${namespace}:${base} ${JSON.stringify(given)}`);
      }
    }
    expect(different).toEqual([]);
  });
});

describe('numbers in texts', () => {
  const LIMIT = { en: '10,000', fr: '10\u202f000', es: '10.000', de: '10.000', ar: '10,000', he: '10,000' };
  it.each(LANGUAGES)('are written as the language writes them: %s', async (language) => {
    const { i18next, ours } = await both(language);
    const theirs = i18next.getFixedT(language, 'explanations') as (key: string, values: object) => string;
    for (const t of [ours.translatorOf('explanations'), theirs]) {
      expect(t('peerListTooLong', { limit: 10_000, pages: 20 })).toContain(LIMIT[language]);
      expect(t('peerListTooLong', { limit: 0.000_12, pages: 20 })).toMatch(/0[.,]00012/);
      // A code is not an amount.
      expect(t('peerHttpStatus', { status: '10000' })).toContain('10000');
    }
  });
});

describe('texts in the browser', () => {
  it('answers keys that are not there, and those of another namespace, as i18next does', async () => {
    const { i18next, ours } = await both('en');
    const theirs = i18next.getFixedT('en', ['public', 'common']) as (key: string, values?: object) => string;
    const t = ours.translatorOf('public');
    for (const [key, values] of [
      ['common:productName'],
      ['nothing.here'],
      ['common:nothing'],
      ['productName', { ns: 'common' }],
    ] as const) {
      expect(t(key, values)).toBe(theirs(key, values));
    }
    for (const [key, ns] of [
      ['not_found', 'errors'],
      ['nothing', 'errors'],
      ['video.label', 'public'],
    ] as const) {
      expect(ours.exists(key, { ns })).toBe(i18next.exists(key, { ns }));
    }
  });

  it('changes the language once its texts are there, and tells who reads them', async () => {
    const ours = createPageTexts('en', fromMemory);
    await ours.load(['common']);
    const before = ours.translatorOf('common');
    expect(ours.translatorOf('common')).toBe(before);
    expect(ours.hasResourceBundle('de', 'common')).toBe(false);
    await ours.loadLanguages('de');
    expect(ours.hasResourceBundle('de', 'common')).toBe(true);
    let told = 0;
    ours.subscribe(() => told++);
    ours.changeLanguage('de');
    expect(told).toBe(1);
    expect(ours.language).toBe('de');
    expect(ours.translatorOf('common')).not.toBe(before);
  });

  it('asks again after texts did not come', async () => {
    let asked = 0;
    const ours = createPageTexts('en', async (language, namespaces) => {
      asked += 1;
      if (asked === 1) throw new Error('no network');
      return fromMemory(language, namespaces);
    });
    await expect(ours.load(['common'])).rejects.toThrow('no network');
    expect(ours.isLoaded(['common'])).toBe(false);
    await ours.load(['common']);
    expect(ours.isLoaded(['common'])).toBe(true);
    expect(ours.load(['common'])).toBe(ours.load(['common']));
  });

  it('asks once for all that is missing, and for nothing that is there or under way', async () => {
    const asked: (readonly string[])[] = [];
    const ours = createPageTexts('en', async (language, namespaces) => {
      asked.push(namespaces);
      return fromMemory(language, namespaces);
    });
    await Promise.all([ours.load(['common', 'errors']), ours.load(['errors', 'shell'])]);
    await ours.load(['common', 'shell']);
    expect(asked).toEqual([['common', 'errors'], ['shell']]);
    const lacking = createPageTexts('en', async () => ({}));
    await expect(lacking.load(['common'])).rejects.toThrow('did not come');
  });
});
