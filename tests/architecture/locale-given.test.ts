import { describe, expect, it } from 'vitest';
import { sourceFiles } from '#tests/architecture/source-files.ts';

const CALL = /\.(localeCompare|toLocale(?:String|DateString|TimeString|LowerCase|UpperCase))\(|\bIntl\.(\w+)\(/g;

/** The arguments of a call, from behind its opening parenthesis; no string of ours holds a parenthesis there. */
function argumentsFrom(text: string, start: number): string[] {
  const found = [''];
  for (let at = start, depth = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if ('([{'.includes(letter)) depth++;
    if (')]}'.includes(letter) && depth-- === 0) break;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((text) => text.trim());
}

function withoutLocale(text: string): string[] {
  return [...text.matchAll(CALL)].flatMap((match) => {
    const given = argumentsFrom(text, match.index + match[0].length);
    const locale = match[1] === 'localeCompare' ? given[1] : given[0];
    return locale === undefined || locale === '' || locale === 'undefined' ? [match[0]] : [];
  });
}

// Without one, the server takes its own and a browser its own: the page is drawn twice and differs (React's error 418).
describe('a comparison or format of a language', () => {
  it('names its language', () => {
    const found = sourceFiles('app')
      .filter(({ path }) => !/\.test\.tsx?$/.test(path))
      .flatMap(({ path, text }) => withoutLocale(text).map((call) => `${path}: ${call}`));
    expect(found).toEqual([]);
  });

  it.each([
    ['a.label.localeCompare(b.label)', 1],
    ["f(a).localeCompare(g(b, 'x'), language)", 0],
    ['new Intl.DateTimeFormat().resolvedOptions()', 1],
    ["new Intl.NumberFormat(undefined, { style: 'percent' })", 1],
    ["new Intl.NumberFormat(language, { style: 'percent' })", 0],
    ['name.toLocaleUpperCase()', 1],
    ['count.toLocaleString(language)', 0],
  ])('is found without one: %s', (text, count) => expect(withoutLocale(text)).toHaveLength(count));
});
