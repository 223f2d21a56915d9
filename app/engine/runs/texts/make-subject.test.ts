import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { readSubject, SUBJECT_MAX_CHARACTERS } from '#app/domain/runs/subject/run-subject.ts';
import { plainSubject, runName, subjectText } from '#app/domain/runs/subject/subject-text.ts';
import { makeFormats } from '#app/domain/web/formats.ts';
import { explainSubject, startSubject } from '#app/engine/runs/texts/make-subject.ts';

const start = (subject: string | undefined, input: { [name: string]: Json }) => ({
  document: subject === undefined ? {} : { subject },
  mode: 'live',
  input,
  startedAt: new Date('2026-11-26T00:00:00Z'),
});
const make = (subject: string, input: { [name: string]: Json }) => startSubject(start(subject, input));
const PAYMENT = '{{ input.payee }} · {{ input.amount }} {{ input.currency }}';
const paid = { payee: 'Jon Smith', amount: 9900, currency: 'EUR' };

describe('a subject', () => {
  test('is filled in from the input, its numbers for each reader in their language', async () => {
    const parts = await make(PAYMENT, paid);
    expect(parts).toEqual(['Jon Smith · ', 9900, ' EUR']);
    expect(plainSubject(parts)).toBe('Jon Smith · 9900 EUR');
    const read = (language: 'en' | 'de') => makeFormats({ language, timeZone: 'UTC', now: '2026-11-26T00:00:00Z' });
    expect(runName({ number: 12, subject: parts, workflow: 'Payments' }, read('en'))).toBe('Jon Smith · 9,900 EUR · #12');
    expect(runName({ number: 12, subject: parts, workflow: 'Payments' }, read('de'))).toBe('Jon Smith · 9.900 EUR · #12');
    expect(runName({ number: 12, subject: null, workflow: 'Payments' }, read('de'))).toBe('Payments · #12');
    const money = await make('{{ input.total }}', { total: { amount: 1.5, currency: 'EUR' } });
    expect(subjectText(money ?? [], read('en'))).toBe('€1.50');
  });

  test('keeps an amount that is written from right to left from turning around what stands beside it', () => {
    const parts = ['Harbour Logistics · ', { amount: 1950, currency: 'EUR' }];
    const read = (language: 'en' | 'he' | 'ar') =>
      runName({ number: 4, subject: parts, workflow: '' }, makeFormats({ language, timeZone: 'UTC', now: '2026-11-26T00:00:00Z' }));
    expect(read('en')).toBe('Harbour Logistics · €1,950.00 · #4');
    for (const language of ['he', 'ar'] as const)
      expect(read(language)).toMatch(/^Harbour Logistics · \u2068\u200f1,950\.00[^·]*\u2069 · #4$/);
  });

  test('keeps the number of a run in its order behind an Arabic subject', () => {
    const name = runName(
      { number: 9, subject: ['خدمات الميناء'], workflow: '' },
      makeFormats({ language: 'ar', timeZone: 'UTC', now: '2026-11-26T00:00:00Z' }),
    );
    expect(name).toBe('خدمات الميناء · \u200e#9');
  });

  test.each<[string, string, { [name: string]: Json }, string | null]>([
    ['leaves out what is missing, and the separator with it', PAYMENT, { payee: 'Jon Smith' }, 'Jon Smith'],
    ['leaves out what is missing at its beginning', PAYMENT, { amount: 5, currency: 'EUR' }, '5 EUR'],
    ['names the entries of a list', '{{ input.names }}', { names: ['A', 'B'] }, 'A, B'],
    ['is one line without controls and overrides', '{{ input.payee }}!', { payee: 'Jo\u202Ehtims\n\u0007 x\u200B' }, 'Jo htims x !'],
    ['keeps the joiners of words and emoji', '{{ input.payee }}', { payee: 'می\u200Cخواهم 👩\u200D💻' }, 'می\u200Cخواهم 👩\u200D💻'],
    ['is none where nothing is left', '{{ input.payee }} · ', {}, null],
    ['is none where braces stay open', '{{ input.payee', paid, null],
    ['is none where an expression fails', '{{ $error("no") }}', paid, null],
    ['is none where an expression cannot be read', '{{ input. }}', paid, null],
    ['is none where a value is an object', '{{ input.payee }}', { payee: { a: 1 } }, null],
  ])('%s', async (_name, subject, input, expected) => {
    expect(plainSubject(await make(subject, input))).toBe(expected);
  });

  test('says why there is none', async () => {
    expect(await explainSubject(start('{{ input.payee', paid))).toEqual({ why: { key: 'documentOpenBraces', values: {} } });
    expect(await explainSubject(start('{{ input.payee }}', {}))).toEqual({ why: { key: 'subjectEmpty', values: {} } });
    expect(await explainSubject(start('{{ $error("no") }}', paid))).toMatchObject({ why: { key: 'expressionFailed' } });
    expect(await explainSubject(start(undefined, paid))).toBeNull();
  });

  test('is cut at a character, and never within a number', async () => {
    const long = plainSubject(await make('{{ input.payee }}', { payee: '👩'.repeat(200) }));
    expect([...(long ?? '')]).toHaveLength(SUBJECT_MAX_CHARACTERS);
    expect(long?.endsWith('👩…')).toBe(true);
    const payee = 'x'.repeat(SUBJECT_MAX_CHARACTERS - 2);
    expect(plainSubject(await make('{{ input.payee }}{{ input.amount }}', { payee, amount: 9900 }))).toBe(payee);
  });

  test('whatever was sent: it never throws, is bounded, one line and without controls, and is read as it was stored', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }),
      fc.record({ amount: fc.double({ noNaN: true, noDefaultInfinity: true }), currency: fc.constantFrom('EUR', 'JPY', 'eur') }),
    );
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, value, text, value, text, async (before, a, between, b, after) => {
        const made = await make(`${before}{{ input.a }}${between}{{ input.b }}${after}`, { a, b } as { [name: string]: Json });
        if (made === null) return;
        const shown = plainSubject(made) ?? '';
        expect([...shown].length).toBeLessThanOrEqual(SUBJECT_MAX_CHARACTERS);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.trim()).not.toBe('');
        expect(readSubject(JSON.parse(JSON.stringify(made)))).toEqual(JSON.parse(JSON.stringify(made)));
        // the limit of the database's check
        expect(JSON.stringify(made).length).toBeLessThan(1_500);
      }),
    );
  });
});
