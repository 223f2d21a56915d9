import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ComparedStep, compareRuns } from '#app/domain/runs/run-comparison.ts';

const step = (path: string, more: Partial<ComparedStep> = {}): ComparedStep => ({
  path,
  name: path,
  status: 'success',
  ms: 1,
  inputDigest: 'i',
  outputDigest: 'o',
  ...more,
});
const shown = (here: ComparedStep[], there: ComparedStep[]) =>
  compareRuns(here, there).map(({ path, difference }) => `${path} ${difference}`);

test('each step says what to look at first', () => {
  expect(
    shown(
      [step('a'), step('b'), step('c')],
      [step('a'), step('b', { status: 'error' }), step('c', { inputDigest: 'x', outputDigest: 'y' })],
    ),
  ).toEqual(['a none', 'b status', 'c input']);
  expect(shown([step('a')], [step('a', { outputDigest: null })])).toEqual(['a output']);
});

test('a step that only one run has stands where that run had it', () => {
  expect(shown([step('a'), step('way/x'), step('z')], [step('first'), step('a'), step('way/y'), step('way/y2'), step('z')])).toEqual([
    'first onlyThere',
    'a none',
    'way/y onlyThere',
    'way/y2 onlyThere',
    'way/x onlyHere',
    'z none',
  ]);
});

test('every step of both runs is there once, each run in its own order', () => {
  const run = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
  fc.assert(
    fc.property(run, run, (here, there) => {
      const pairs = compareRuns(
        here.map((path) => step(path)),
        there.map((path) => step(path)),
      );
      expect(pairs.flatMap((pair) => (pair.here === null ? [] : [pair.path]))).toEqual(here);
      expect(pairs.flatMap((pair) => (pair.there === null ? [] : [pair.path])).toSorted()).toEqual(there.toSorted());
      expect(new Set(pairs.map(({ path }) => path)).size).toBe(pairs.length);
    }),
  );
});
