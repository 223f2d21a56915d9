import type { Json } from '#app/contracts/json.ts';

/** A list of alike objects, whole. A cell is null where its object has no such member. */
export type FactRows = { columns: string[]; rows: (Json | null)[][] };

const MAX_ROWS = 50;
const MAX_COLUMNS = 8;
const MAX_CELL = 300;

/**
 * A list of objects as the rows of a table, every cell plain and shown whole; null for any other value. Whatever would be cut is no table:
 * who decides sees all that is sent.
 */
export function readRows(value: Json): FactRows | null {
  if (!Array.isArray(value) || value.length < 2 || value.length > MAX_ROWS || !value.every(isObject)) return null;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MAX_COLUMNS || columns.some((name) => name.length > MAX_CELL)) return null;
  const rows = value.map((row) => columns.map((name) => row[name] ?? null));
  return rows.flat().every(isCell) ? { columns, rows } : null;
}

const isObject = (value: Json): value is { [name: string]: Json } => value !== null && typeof value === 'object' && !Array.isArray(value);
const isCell = (value: Json) => (value === null || typeof value !== 'object') && String(value).length <= MAX_CELL;
