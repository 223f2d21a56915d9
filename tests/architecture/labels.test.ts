import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { sourceFiles } from '#tests/architecture/source-files.ts';
import { textsOf } from '#tests/architecture/texts.ts';

/** A control with one written text and another that is read out: `aria-label={t('editOf', …)} …>{t('edit')}</`; either may be one of two. */
const SPOKEN = String.raw`t\((?:[\w.!]+ \? '[\w.:]+' : )?'[\w.:]+'`;
const WRITTEN = String.raw`(?:[\w.!]+ \? t\('[\w.:]+'\) : )?t\((?:[\w.!]+ \? '[\w.:]+' : )?'[\w.:]+'\)`;
const LABELLED = new RegExp(String.raw`aria-label=\{(${SPOKEN})[^\n]*?\)\}[^<]{0,400}?>\s*\{(${WRITTEN})\}\s*<\/`, 'g');
const keysOf = (expression = '') => [...expression.matchAll(/'([\w.:]+)'/g)].map(([, key]) => key ?? '');

type Control = { path: string; namespaces: string[]; spoken: string; written: string };

const controls: Control[] = sourceFiles('app')
  .filter(({ path }) => path.endsWith('.tsx'))
  .flatMap(({ path, text }) => {
    const namespaces = [...text.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, names]) =>
      [...(names ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name ?? ''),
    );
    return [...text.matchAll(LABELLED)].flatMap(([, spoken, written]) => {
      const writtenKeys = keysOf(written);
      return keysOf(spoken).map((key, place) => ({ path, namespaces, spoken: key, written: writtenKeys[place] ?? writtenKeys[0] ?? '' }));
    });
  });

const plain = (text: string) =>
  text
    .toLocaleLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

// WCAG 2.5.3: who speaks to a page says what is written there. The checker sees it in each language on its own only.
describe('the name of a control', () => {
  it('is looked for where there are such controls', () => {
    expect(controls.length).toBeGreaterThan(5);
  });

  it.each(LANGUAGES)('holds what is written on it (%s)', (language) => {
    const texts = textsOf(language);
    const find = (namespaces: readonly string[], key: string) => {
      const [namespace, own] = key.includes(':') ? key.split(':') : [undefined, key];
      for (const name of namespace === undefined ? namespaces : [namespace]) {
        const found = texts.get(name)?.get(own ?? '');
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const lacking = controls.flatMap(({ path, namespaces, spoken, written }) => {
      const [name, seen] = [find(namespaces, spoken), find(namespaces, written)];
      return name === undefined || seen === undefined || plain(name).includes(plain(seen))
        ? []
        : [`${path}: “${seen}” is not in “${name}”`];
    });
    expect(lacking).toEqual([]);
  });
});

// French puts a space before it that never breaks, and other languages have other marks.
it('the colon behind a label stands in the text, not in the code', () => {
  const joined = sourceFiles('app')
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\{(?:t\([^{}]*(?:\$\{[^{}]*\}[^{}]*)?\)|[\w.]*label)\}:(?=[\s<$])/g)].map(([found]) => `${path}: ${found}`),
    );
  expect(joined).toEqual([]);
});
