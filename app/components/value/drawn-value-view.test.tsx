import { createInstance } from 'i18next';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { createRoutesStub } from 'react-router';
import { describe, expect, test } from 'vitest';
import { AccessibilityProvider, useAccessibilityState } from '#app/components/look/accessibility-provider.tsx';
import { drawValue } from '#app/components/value/draw-value.server.ts';
import type { ValueOpening } from '#app/components/value/drawn-value.ts';
import { DrawnValueView } from '#app/components/value/drawn-value-view.tsx';
import { pointerBelow, valueAt } from '#app/components/value/json-pointer.ts';
import { bytesOf } from '#app/components/value/shown-value.ts';
import type { Json } from '#app/contracts/json.ts';
import { DEFAULT_ACCESSIBILITY } from '#app/domain/people/appearance.ts';
import common from '#locales/en/common.json' with { type: 'json' };

const i18n = createInstance({ lng: 'en', resources: { en: { common } }, interpolation: { escapeValue: false } });
await i18n.init();

const opened = (value: Json, opening: Partial<ValueOpening> = {}) => drawValue(value, { pointer: '', from: 0, find: null, ...opening });

/** The value as it stands in a page. */
function drawn(value: Json, opening: Partial<ValueOpening> = {}): string {
  const addressOf = (pointer: string, from = 0) => `?open=${pointer}&from=${from}`;
  const search = { action: '/', name: 'find', hidden: [] };
  const shown = opened(value, opening);
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => <DrawnValueView value={shown} label="Output" file="/file" addressOf={addressOf} search={search} />,
    },
  ]);
  const WithSettings = () => (
    <AccessibilityProvider state={useAccessibilityState(DEFAULT_ACCESSIBILITY, false)}>
      <Page />
    </AccessibilityProvider>
  );
  return renderToString(
    <I18nextProvider i18n={i18n}>
      <WithSettings />
    </I18nextProvider>,
  ).replaceAll('<!-- -->', '');
}
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const rows = (many: number) => Array.from({ length: many }, (_, at) => ({ at, text: `Zeile ${at} – größer`.padEnd(60, '.') }));
const nested = (many: number): Json => ({
  list: Array.from({ length: many }, (_, at) => ({ at, parts: [{ deep: { deeper: `x${at}` } }, at] })),
});

describe('weight', () => {
  test.each([
    ['a table', rows(9_000)],
    ['an object with a table', { rows: rows(9_000), note: 'x'.repeat(1_000) }],
    ['deep objects', nested(12_000)],
    ['one long text', 'A sentence of a report. '.repeat(40_000)],
    ['many long names', Object.fromEntries(rows(9_000).map(({ text }) => [text, text]))],
    ['lists in lists', Array.from({ length: 600 }, () => Array.from({ length: 300 }, (_, at) => at * 1_000))],
  ] as [string, Json][])('%s of 0.9 MB costs less than 60 KB, drawn and as data', (_, value) => {
    expect(bytesOf(JSON.stringify(value, null, 2))).toBeGreaterThan(850_000);
    const weight = bytesOf(drawn(value)) + bytesOf(JSON.stringify(opened(value)));
    expect(weight).toBeLessThan(60_000);
  });

  test('each part of it can be opened', () => {
    const value = nested(12_000);
    expect(wordsOf(drawn(value, { pointer: '/list/11999/parts/0' }))).toContain('x11999');
    const last = opened(rows(9_000), { from: 8_999 });
    expect(last.part).toMatchObject({ as: 'table', from: 8_999, size: 9_000, rows: [{ key: 8_999 }] });
    // An address that leads nowhere shows the whole value.
    expect(opened(value, { pointer: '/list/x' }).pointer).toBe('');
  });
});

describe('form', () => {
  test('alike objects are a table, unlike ones are a tree', () => {
    const table = drawn([
      { name: 'Ann', age: 3, tags: ['a', 'b'] },
      { name: 'Bo', age: 5 },
    ]);
    expect(opened([{ name: 'Ann' }, 'Bo']).part.as).toBe('tree');
    expect(opened([{ a: 1 }, { b: 2 }, { c: 3 }]).part.as).toBe('tree');
    expect(opened([{ a: 1 }]).part.as).toBe('tree');
    expect(table).toContain('<th scope="col"');
    expect(wordsOf(table)).toMatch(/# name age tags 1 Ann 3 2 entries 2 Bo 5 –/);
  });

  test('an object is facts, and what is in it has the form that fits it', () => {
    const { part } = opened({ done: true, note: '# Title\n\ntext', rows: rows(3), deep: { a: { b: 1 } }, none: null });
    expect(part).toMatchObject({
      as: 'facts',
      entries: [
        { value: { as: 'text', text: 'true' } },
        { value: { as: 'markdown' } },
        { value: { as: 'table' } },
        { value: { as: 'tree' } },
        {},
      ],
    });
  });

  test('lines of a plain text stay lines', () => {
    expect(opened('Viktor Petrenko\nAnna Example').part).toEqual({ as: 'text', text: 'Viktor Petrenko\nAnna Example', cut: false });
    expect(opened('2 * 3 * 4 and snake_case_names').part.as).toBe('text');
    expect(opened('').part).toEqual({ as: 'text', text: '', cut: false });
  });

  test('invisible characters are spelled out, in names as well', () => {
    const html = drawn({ 'na\u200Bme': 'a\u202Eb', list: ['c\u2066d', 1] });
    expect(html).not.toMatch(/[\u200B\u202E\u2066]/);
    expect(html).toContain('Contains characters that cannot be seen');
  });
});

describe('Markdown', () => {
  test('becomes elements', () => {
    const html = drawn('# Title\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode < 1\n```\n');
    for (const piece of ['<h4', '<ul', '<strong>two</strong>', '<td', 'code &lt; 1']) expect(html).toContain(piece);
  });

  test.each([
    '# x\n<script>alert(1)</script>',
    '# x\n<img src=x onerror=alert(1)>',
    '# x\n[a](javascript:alert(1))',
    '# x\n[a](  JaVaScRiPt:alert(1))',
    '# x\n[a](data:text/html;base64,PHNjcmlwdD4=)',
    '# x\n[a](//evil.example/x)',
    '# x\n[a](/dashboard/account)',
    '# x\n![a](javascript:alert(1))',
    '# x\n<javascript:alert(1)>',
    '# x\n[a]: javascript:alert(1)\n\n[a]',
  ])('never becomes what could act: %j', (text) => {
    const html = drawn(text);
    const elements = html.match(/<[^>]+>/g)?.join('') ?? '';
    expect(elements).not.toMatch(/<script|<img|<iframe|\son\w+=/i);
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => address !== '/file')).toEqual([]);
  });

  test('links to https, http and mail alone, and pictures are links', () => {
    const html = drawn('# x\n[a](https://a.example/?q=1) [b](mailto:b@example.org) ![Chart](https://c.example/c.png)');
    expect(html).toContain('href="https://a.example/?q=1" rel="nofollow noreferrer"');
    expect(html).toContain('href="mailto:b@example.org"');
    expect(html).toMatch(/href="https:\/\/c\.example\/c\.png"[^>]*>Image: Chart/);
  });
});

test('names and texts are found in any case, with the way to each', () => {
  const value: Json = { Payee: 'Harbour', rows: [{ text: 'To HARBOUR Logistics' }, { harbour: { x: 1 } }] };
  expect(opened(value, { find: 'harbour' }).found).toEqual({
    words: 'harbour',
    places: [
      { pointer: '/Payee', text: 'Harbour' },
      { pointer: '/rows/0/text', text: 'To HARBOUR Logistics' },
      { pointer: '/rows/1/harbour', text: '' },
    ],
    more: false,
  });
  expect(opened(rows(9_000), { find: 'zeile' }).found).toMatchObject({ more: true });
  expect(opened(value, { find: '  ' }).found).toBeNull();
});

test('a pointer leads to what it was made for', () => {
  const value = { 'a/b': { '~c': [1, { '': 'deep' }] } };
  const pointer = ['a/b', '~c', 1, ''].reduce<string>(pointerBelow, '');
  expect(pointer).toBe('/a~1b/~0c/1/');
  expect(valueAt(value, pointer)).toBe('deep');
  expect(valueAt(value, '/a~1b/~0c/01')).toBeUndefined();
  expect(valueAt(value, '/toString')).toBeUndefined();
});
