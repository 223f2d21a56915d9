import { expect, test } from 'vitest';
import { GUIDES } from '#app/features/help/guides.ts';
import { matches } from '#app/features/help/matches.ts';
import { STATUS_GROUPS } from '#app/features/help/terms.ts';

test('finds every word, in any order, in any part, without accents or case', () => {
  expect(matches('VOTRE cle', 'Créer une clé', 'pour votre programme')).toBe(true);
  expect(matches('cle absent', 'Créer une clé')).toBe(false);
  expect(matches('  ', 'anything')).toBe(true);
  expect(matches('סביבה', 'סְבִיבָה')).toBe(true);
});

test('each guide has an address of its own, each status word one meaning', () => {
  expect(new Set(GUIDES.map(({ slug }) => slug)).size).toBe(GUIDES.length);
  const words = Object.values(STATUS_GROUPS).flat();
  expect(new Set(words).size).toBe(words.length);
});
