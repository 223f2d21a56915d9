import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedName, jaroWinkler, nameSimilarity } from '#app/engine/mcp/builtin-tools/name-match.ts';

const alike = (a: string, b: string) => nameSimilarity(foldedName(a), foldedName(b));

describe('foldedName', () => {
  it.each([
    ['Dr. José María Aznar-López', 'jose maria aznar lopez'],
    ['Łukasz Żółć', 'lukasz zolc'],
    ['Владимир Путин', 'vladimir putin'],
    ['Γιώργος Παπανδρέου', 'giorgos papandreoy'],
    ['Acme Trading GmbH & Co. KG', 'acme trading'],
    ['Müßig', 'mussig'],
    ["O'Brien", 'obrien'],
    ['O’Brien 😀', 'obrien'],
    ['Щербаков Юрий', 'shcherbakov yuriy'],
    ['عَلِي خامنئي', 'aly khamnyy'],
    ['דָּוִד כהן', 'dvd khn'],
    ['王毅', 'wangyi'],
    ['नरेन्द्र मोदी', 'nrendr modi'],
    ['😀', ''],
  ])('%s becomes %s', (name, folded) => expect(foldedName(name)).toBe(folded));
});

describe('nameSimilarity', () => {
  it.each([
    ['John Smith', 'Smith, John'],
    ['Владимир Путин', 'Vladimir Putin'],
    ['Abdul Rahman', 'Abdulrahman'],
    ['Jon Smith', 'John Smith'],
    ['Muhammad Ali', 'Mohammed Ali'],
    ['Acme Holdings Ltd', 'ACME Holdings Limited'],
    ['John Michael Smith', 'John Smith'],
    ['J. Smith', 'John Smith'],
    ['Юрий Гагарин', 'Yuri Gagarin'],
    ['习近平', 'Xi Jinping'],
    ['김정은', 'Kim Jong Un'],
    ['ทักษิณ ชินวัตร', 'Thaksin Shinawatra'],
    ['علي خامنئي', 'Ali Khamenei'],
  ])('%s is like %s', (a, b) => expect(alike(a, b)).toBeGreaterThan(0.85));

  it.each([
    ['John Smith', 'Jane Doe'],
    ['Maria Garcia', 'Peter Müller'],
    ['Acme', 'Zenith Bank'],
    ['John Smith', 'John Baker'],
  ])('%s is not %s', (a, b) => expect(alike(a, b)).toBeLessThan(0.8));

  it('is symmetric, between 0 and 1, and 1 for the same name', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(name, name, (a, b) => {
        const score = alike(a, b);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(alike(b, a)).toBeCloseTo(score, 1);
        if (foldedName(a) !== '') expect(alike(a, a)).toBe(1);
      }),
    );
  });

  it('knows the published values of Jaro-Winkler', () => {
    expect(jaroWinkler('martha', 'marhta')).toBeCloseTo(0.961, 3);
    expect(jaroWinkler('dixon', 'dicksonx')).toBeCloseTo(0.813, 3);
    expect(jaroWinkler('dwayne', 'duane')).toBeCloseTo(0.84, 2);
  });
});
