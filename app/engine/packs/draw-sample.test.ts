import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sample, sampleKey } from '#app/engine/packs/draw-sample.ts';

const draw = (seed: string, ids: readonly string[], size: number) => {
  const sample = new Sample<string>(size);
  for (const id of ids) sample.offer(sampleKey(seed, id), id);
  return sample.items();
};
const populations = fc.uniqueArray(fc.uuid(), { maxLength: 120 });

test('a sample is the records with the lowest keys, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.string(), populations, fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat()), (seed, ids, size, order) => {
      const byHand = ids
        .map((id) => ({ id, key: createHash('sha256').update(`${seed}\n${id}`).digest('hex') }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, size)
        .map(({ id }) => id);
      const mixed = ids
        .map((id) => ({ id, at: order.next().value ?? 0 }))
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id);
      expect(draw(seed, ids, size)).toEqual(byHand);
      expect(draw(seed, mixed, size)).toEqual(byHand);
    }),
  );
});

test('a longer population only ever pushes records out of a sample', () => {
  fc.assert(
    fc.property(fc.string(), populations, populations, (seed, ids, more) => {
      const all = [...new Set([...ids, ...more])];
      const kept = draw(seed, all, 10).filter((id) => ids.includes(id));
      expect(draw(seed, ids, 10).slice(0, kept.length)).toEqual(kept);
    }),
  );
});

test('every record is drawn as often as any other', () => {
  const ids = Array.from({ length: 100 }, (_, n) => `record-${n}`);
  const times = new Map(ids.map((id) => [id, 0]));
  const [draws, size] = [1_000, 25];
  for (let n = 0; n < draws; n += 1) for (const id of draw(`seed ${n}`, ids, size)) times.set(id, (times.get(id) ?? 0) + 1);
  const expected = (draws * size) / ids.length;
  const distance = [...times.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // chi-square with 99 degrees of freedom stays under 148 in 999 of 1,000; without replacement it is smaller still
  expect(distance).toBeLessThan(148);
});
