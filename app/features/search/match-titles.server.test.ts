import { expect, test } from 'vitest';
import { matchTitles } from '#app/features/search/match-titles.server.ts';

const PLACES = [
  { title: 'My Agents', words: 'A2A skills' },
  { title: 'Workflows', words: 'automation process editor' },
  { title: 'Audit Logs', words: 'log Merkle evidence proof' },
  { title: 'Übersicht', words: '' },
  { title: 'سجلات التدقيق', words: '' },
];
const titles = (words: string) => matchTitles(PLACES, words).map(({ title }) => title);

test.each([
  ['agents', 'My Agents'],
  ['agnets', 'My Agents'],
  ['worfklow', 'Workflows'],
  ['evidence', 'Audit Logs'],
  ['ubersicht', 'Übersicht'],
  ['التدقيق', 'سجلات التدقيق'],
])('%s is near to %s', (words, title) => {
  expect(titles(words)[0]).toBe(title);
});

test('what is near to nothing finds nothing', () => {
  expect(titles('zzqqxx')).toEqual([]);
});
