import pg from 'pg';

const { builtins } = pg.types;

/**
 * How columns arrive: int8 and numeric as numbers (counts, sums and revisions of ours stay far below 2^53), timestamptz as
 * Date, json and jsonb as their value, bytea as bytes, date as its text. Everything else as pg has it.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
      if (oid === builtins.DATE) return String;
      if (oid === INT8_ARRAY) return int8Array;
    }
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

const INT8_ARRAY = 1016;

function int8Array(text: string): number[] {
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map(Number);
}
