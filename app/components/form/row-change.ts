import { createContext } from 'react';
import { z } from 'zod';

/** The name under which a button says how the rows of a form change; Conform's own, which does it in the browser. */
export const ROW_CHANGE = '__INTENT__';

/** A row added at the end of a list, or one that was taken away. `name`: of the list. */
export type RowChange = { kind: 'insert'; name: string } | { kind: 'remove'; name: string; index: number };

/** The value of a button that adds a row. `blank`: what is in it. */
export const insertRow = (name: string, blank: unknown): string => `insert(${JSON.stringify({ name, defaultValue: blank })})`;
export const removeRow = (name: string, index: number): string => `remove(${JSON.stringify({ name, index })})`;

const insertSchema = z.object({ name: z.string() });
const removeSchema = z.object({ name: z.string(), index: z.number().int().min(0).max(999) });

/** Null for anything but the value of such a button. */
export function readRowChange(value: unknown): RowChange | null {
  const [, kind, argument = ''] = typeof value === 'string' ? (/^(insert|remove)\((.*)\)$/s.exec(value) ?? []) : [];
  if (kind === undefined) return null;
  const json = parsed(argument);
  if (kind === 'insert') {
    const insert = insertSchema.safeParse(json);
    return insert.success ? { kind: 'insert', ...insert.data } : null;
  }
  const remove = removeSchema.safeParse(json);
  return remove.success ? { kind: 'remove', ...remove.data } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The change that the server has just made, where a form was sent without scripts. */
export const RowChangeContext = createContext<RowChange | null>(null);
