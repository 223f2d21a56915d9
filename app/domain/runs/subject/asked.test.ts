import { describe, expect, test } from 'vitest';
import type { SubjectPart } from '#app/contracts/runs.ts';
import { readAsked } from '#app/domain/runs/subject/asked.ts';
import { askedText } from '#app/domain/runs/subject/subject-text.ts';
import { makeFormats } from '#app/domain/web/formats.ts';
import type { Language } from '#app/domain/web/languages.ts';

const words = (language: Language) => ({
  ...makeFormats({ language, timeZone: 'UTC', now: '2026-11-26T00:00:00Z' }),
  call: ({ action, values }: { action: string; values: string }) => `Run ${action} with ${values}`,
  sentence: (parts: readonly SubjectPart[]) => [...parts],
});
const say = (stored: unknown, language: Language = 'en') => {
  const asked = readAsked(stored);
  return asked === null ? null : askedText(asked, words(language));
};
const call = (values: [string, unknown][]) => ({ action: 'transfer', sentence: null, values });

describe('what an approval would do', () => {
  test('is said of a call by its name and its first values, for each reader in their language', () => {
    const transfer = call([
      ['payee', 'Jon Smith'],
      ['amount', 9900],
      ['currency', 'EUR'],
      ['note', 'Invoice 4711'],
      ['copy', 'never named'],
    ]);
    expect(say(transfer)).toBe('Run transfer with payee Jon Smith, amount 9,900 EUR, note Invoice 4711');
    expect(say(transfer, 'de')).toBe('Run transfer with payee Jon Smith, amount 9.900 EUR und note Invoice 4711');
    expect(say(call([['total', { amount: 1.5, currency: 'EUR' }]]))).toBe('Run transfer with total €1.50');
  });

  test('is said in the words of its step, whose numbers each reader gets in their language', () => {
    const asked = { action: null, sentence: ['Pay ', 9900, ' EUR to Jon Smith'], values: [['question', 'Pay?']] };
    expect(say(asked)).toBe('Pay 9,900 EUR to Jon Smith');
    expect(say(asked, 'de')).toBe('Pay 9.900 EUR to Jon Smith');
  });

  test('hides nothing: what is invisible is spelled out, and a long text ends visibly', () => {
    expect(say(call([['pay\u200Bee', 'Jon\u202E htimS']]))).toBe('Run transfer with pay\\u{200b}ee Jon\\u{202e} htimS');
    expect(say({ action: null, sentence: ['Pay Jon\u200B'], values: null })).toBe('Pay Jon\\u{200b}');
    expect(say(call([['note', 'x'.repeat(80)]]))).toBe(`Run transfer with note ${'x'.repeat(59)}…`);
  });

  test.each([
    ['a question without a sentence', { action: null, sentence: null, values: [['question', 'Pay?']] }],
    ['a call without a plain value', call([['list', { a: 1 }]])],
    ['money with a third member', call([['total', { amount: 1, currency: 'EUR', to: 'me' }]])],
    ['what became of a call', null],
    ['what another version of the product stored', { capability: 'x' }],
  ])('is not said of %s', (_name, stored) => {
    expect(say(stored)).toBeNull();
  });
});
