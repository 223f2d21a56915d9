import { describe, expect, it } from 'vitest';
import names from '#app/engine/compliance/law-names.json' with { type: 'json' };
import { loadLawWords } from '#app/engine/compliance/law-words.ts';
import { loadLaws } from '#app/engine/compliance/laws.ts';

const ENGLISH = /\b(?:Annex|Chapter|and|to|as amended|for systems of|draft|Regulation|Directive \(EU\))(?!\p{L})/u;
const everyText = ({ controls, dates }: Awaited<ReturnType<typeof loadLaws>>['laws'][number]) => [
  ...controls.map(({ provision }) => provision),
  ...dates.applies.flatMap(({ part }) => part ?? []),
  ...[dates.amendedBy ?? [], dates.supersededBy?.name ?? []].flat(),
];

describe('names and articles of laws', () => {
  it('are official names of laws that the list has', async () => {
    const known = new Set((await loadLaws()).laws.map(({ id }) => id));
    for (const { laws } of Object.values(names)) expect(Object.keys(laws).filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(['de', 'fr', 'es'] as const)('are those of the Union in %s, the draft of an annex left out', async (language) => {
    const { laws } = await loadLaws();
    const words = await loadLawWords(language);
    const ofUnion = laws.filter(({ region, id }) => region === 'EU' && id !== 'annex-22').map(words.law);
    expect(ofUnion.length).toBeGreaterThan(25);
    expect(ofUnion.filter(({ citation }) => ENGLISH.test(citation)).map(({ citation }) => citation)).toEqual([]);
    expect(ofUnion.flatMap(everyText).filter((text) => ENGLISH.test(text))).toEqual([]);
    // An article is an article in French.
    if (language !== 'fr') expect(ofUnion.flatMap(everyText).filter((text) => /\bArticle/.test(text))).toEqual([]);
  });

  it.each(['ar', 'he'] as const)('are cited by words of %s, under the name that the law has', async (language) => {
    const { laws } = await loadLaws();
    const words = await loadLawWords(language);
    const gdpr = words.law(laws.find(({ id }) => id === 'gdpr') ?? expect.fail('no GDPR'));
    expect(gdpr.name).toBe('GDPR');
    const texts = laws
      .filter(({ region }) => region === 'EU')
      .map(words.law)
      .flatMap(everyText);
    expect(texts.filter((text) => /\b(?:Annex|Chapter|Section)\b/.test(text))).toEqual([]);
    expect(gdpr.controls.map(({ provision }) => provision)).toContain(
      language === 'ar' ? 'المادة \u20665(2)\u2069' : 'סעיף \u20665(2)\u2069',
    );
  });

  it.each([
    ['de', 'Article 14(4)(e)', 'Artikel 14 Absatz 4 Buchstabe e'],
    ['fr', 'Articles 12 and 26(6)', 'Articles 12 et 26, paragraphe 6'],
    ['es', 'Articles 28 to 30', 'Artículos 28 a 30'],
    ['fr', 'Article 14(4)(e)', 'Article 14, paragraphe 4, point e)'],
    ['de', 'Articles 5, 6 and 9', 'Artikel 5, 6 und 9'],
    ['he', 'Articles 5 and 25', 'סעיפים 5 ו-25'],
    ['en', 'Article 14(4)(e)', 'Article 14(4)(e)'],
  ] as const)('say in %s %s as %s', async (language, text, said) => {
    expect((await loadLawWords(language)).provision({ region: 'EU' }, text)).toBe(said);
  });

  it('leave standards and laws of countries that legislate in English as they are', async () => {
    const { laws } = await loadLaws();
    const words = await loadLawWords('de');
    for (const id of ['sox', 'hipaa', 'iso-27001', 'soc2', 'uk-gdpr', 'nist-csf']) {
      const law = laws.find((one) => one.id === id) ?? expect.fail(`no ${id}`);
      expect(words.law(law)).toEqual(law);
    }
  });

  it('say a stored citation in the language of its reader', async () => {
    const { laws } = await loadLaws();
    const law = laws.find(({ id }) => id === 'gdpr') ?? expect.fail('no GDPR');
    expect((await loadLawWords('de')).cited(law, 'GDPR, Article 33(1)')).toBe('DSGVO, Artikel 33 Absatz 1');
    expect((await loadLawWords('de')).cited(law, 'another law, Article 1')).toBe('another law, Article 1');
  });
});
