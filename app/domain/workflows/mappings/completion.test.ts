import { expect, test } from 'vitest';
import { completionAt, type ExpressionUse } from '#app/domain/workflows/mappings/completion.ts';
import type { KnownValue } from '#app/domain/workflows/mappings/known-data.ts';

const value = (expression: string, at: string[], title = '', type: KnownValue['type'] = null): KnownValue => ({
  expression,
  at,
  title,
  type,
});
const KNOWN = [
  value('item', ['item']),
  value('input.amount', ['input', 'amount'], 'Amount due', 'number'),
  value('input.payee', ['input', 'payee'], 'Payee', 'text'),
  value('steps.screen', ['steps', 'screen'], 'Screen the name', 'group'),
  value('steps.screen.matches', ['steps', 'screen', 'matches'], '', 'list'),
  value('steps.screen.matches.severity', ['steps', 'screen', 'matches', 'severity'], '', 'text'),
  value('steps.screen.`list name`', ['steps', 'screen', 'list name'], '', 'text'),
  value('run.id', ['run', 'id']),
];

/** The suggestions where `|` stands. */
function at(marked: string, use: ExpressionUse = 'always') {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completionAt(text, cursor, use, KNOWN);
  return found === null ? null : { ...found, texts: found.suggestions.map((one) => one.text), typed: text.slice(found.from, found.to) };
}

test('the outermost names come first, then whole paths that fit; what was typed is replaced', () => {
  expect(at('|')?.texts).toEqual(['item', 'input', 'steps', 'run']);
  expect(at('1 + i|')?.texts.slice(0, 2)).toEqual(['item', 'input']);
  expect(at('am|')).toMatchObject({ texts: ['input.amount'], typed: 'am' });
  // By the words of its title.
  expect(at('due|')?.texts).toEqual(['input.amount']);
  expect(at('screen|ed')).toMatchObject({ typed: 'screened' });
});

test('after a dot the members of what stands before it, whatever filters are between', () => {
  expect(at('input.|')?.suggestions).toEqual([
    { text: 'amount', title: 'Amount due', type: 'number', takes: null },
    { text: 'payee', title: 'Payee', type: 'text', takes: null },
  ]);
  expect(at('steps.screen.|')?.texts).toEqual(['matches', '`list name`']);
  expect(at('steps.screen.`li|')).toMatchObject({ texts: ['`list name`'], typed: '`li' });
  expect(at('steps.screen.matches[severity = "high"].|')?.texts).toEqual(['severity']);
  expect(at('steps.screen.matches.sev|')?.texts).toEqual(['severity']);
  expect(at('steps.nothing.|')).toBeNull();
});

test('inside a filter or a projection the members of its list come first', () => {
  expect(at('steps.screen.matches[|')?.texts.slice(0, 2)).toEqual(['severity', 'item']);
  expect(at('steps.screen.matches^(|')?.texts[0]).toBe('severity');
  expect(at('steps.screen.matches.{"a": s|')?.texts[0]).toBe('severity');
  expect(at('$count(steps.screen.matches[severity = "a"]) + (|')?.texts[0]).toBe('item');
});

test('after a dollar sign functions with what they take, and the own variables', () => {
  expect(at('$su|')?.texts).toEqual(['$substring', '$substringAfter', '$substringBefore', '$sum']);
  expect(at('$sum|(input.amount)')).toBeNull();
  expect(at('$substringB|')?.suggestions).toEqual([{ text: '$substringBefore', title: '', type: null, takes: 'text, part' }]);
  expect(at('($total := 1; $tot|')?.texts).toEqual(['$total']);
});

test('nothing in a text, behind an unknown value, before the mark or outside braces', () => {
  expect(at('"inp|')).toBeNull();
  expect(at('"done" & inp|')?.texts).toEqual(['input']);
  expect(at('$now().|')).toBeNull();
  expect(at('"a".|')).toBeNull();
  expect(at('inp|', 'marked')).toBeNull();
  expect(at('=inp|', 'marked')).toMatchObject({ texts: ['input'], typed: 'inp' });
  expect(at('|=inp', 'marked')).toBeNull();
  expect(at('Dear {{ input.pa|', 'template')?.texts).toEqual(['payee']);
  expect(at('Dear {{ input.payee }}, inp|', 'template')).toBeNull();
});

test('a whole word that is the only one needs no list', () => {
  expect(at('input.amount|')).toBeNull();
});

test('the names of 200 steps are found within the time between two keys', () => {
  const many = Array.from({ length: 200 }, (_, step) =>
    Array.from({ length: 20 }, (_, member) => value(`steps.s${step}.m${member}`, ['steps', `s${step}`, `m${member}`])),
  ).flat();
  const begun = performance.now();
  for (let round = 0; round < 20; round += 1) completionAt('$sum(steps.s1', 13, 'always', many);
  // 50 ms for one would be felt; some 2 ms are used.
  expect((performance.now() - begun) / 20).toBeLessThan(50);
});
