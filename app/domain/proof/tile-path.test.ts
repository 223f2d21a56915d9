import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTilePath, TILE_WIDTH, tilePath } from '#app/domain/proof/tile-path.ts';

describe('addresses of tiles', () => {
  it('are those of C2SP', () => {
    expect(readTilePath('checkpoint')).toEqual({ kind: 'checkpoint' });
    expect(readTilePath('tile/0/x001/x234/067')).toEqual({ kind: 'hashes', level: 0, index: 1_234_067, width: TILE_WIDTH });
    expect(readTilePath('tile/1/000.p/7')).toEqual({ kind: 'hashes', level: 1, index: 0, width: 7 });
    expect(readTilePath('tile/entries/x001/000.p/255')).toEqual({ kind: 'entries', index: 1000, width: 255 });
    expect(tilePath(null, 1_234_067, TILE_WIDTH)).toBe('tile/entries/x001/x234/067');
  });

  it('have one spelling each', () => {
    fc.assert(
      fc.property(
        fc.nat(63),
        fc.nat(999_999_999),
        fc.integer({ min: 1, max: TILE_WIDTH }),
        fc.boolean(),
        (level, index, width, entries) => {
          const path = tilePath(entries ? null : level, index, width);
          expect(readTilePath(path)).toEqual(entries ? { kind: 'entries', index, width } : { kind: 'hashes', level, index, width });
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    '',
    'tile',
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/x001/x001/x001/001',
    'tile/0/1000',
    'tile/0/000/',
    'tile/entries/000.p/',
    'checkpoint/',
    'Checkpoint',
    '../checkpoint',
    'tile/0/٠٠٠',
  ])('are not %s', (path) => {
    expect(readTilePath(path)).toBeNull();
  });
});
