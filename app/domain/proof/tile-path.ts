/** Hashes or entries of one full tile. */
export const TILE_WIDTH = 256;

/** The thing that an address below a log names. `width`: how many of the tile's 256 it asks for. */
export type TilePath =
  | { kind: 'checkpoint' }
  | { kind: 'hashes'; level: number; index: number; width: number }
  | { kind: 'entries'; index: number; width: number };

/** Groups of three digits, each but the last behind an x: 1234067 is x001/x234/067. Up to nine digits are exact and more than any log has. */
const TILE = /^tile\/(?:(0|[1-5]?\d|6[0-3])|entries)\/((?:x\d{3}\/){0,2}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * Reads an address of c2sp.org/tlog-tiles, without the address of the log before it. Null: it is none, or not in the one spelling that it has.
 */
export function readTilePath(path: string): TilePath | null {
  if (path === 'checkpoint') return { kind: 'checkpoint' };
  const [, level, groups, partial] = TILE.exec(path) ?? [];
  if (groups === undefined || groups.startsWith('x000/')) return null;
  const index = Number(groups.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  if (width > TILE_WIDTH || (partial !== undefined && width === TILE_WIDTH)) return null;
  if (level === undefined) return { kind: 'entries', index, width };
  return /^0\d/.test(level) ? null : { kind: 'hashes', level: Number(level), index, width };
}

/** The address of a tile; `level` null: of entries. */
export function tilePath(level: number | null, index: number, width: number): string {
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const name = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level ?? 'entries'}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}
