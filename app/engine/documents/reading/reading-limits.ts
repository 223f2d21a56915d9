import type { Json } from '#app/contracts/json.ts';

/** Bounds of what is read from one file. */
export const READING_LIMITS = {
  pages: 300,
  rows: 100_000,
  columns: 500,
  entries: 1_000,
  entryBytes: 50_000_000,
  zipBytes: 200_000_000,
  /** Characters of the JSON of what is answered; the value of a step may have 1 MB. */
  characters: 900_000,
} as const;

/** Found in the content; the name says nothing but whether a text is a table. */
export type FileKind = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'text' | 'image';

/** How much of the content fits into a value, where not all of it does. */
export type Cut = { kept: number; of: number } | null;
export type ReadContent =
  | { kind: 'pdf' | 'docx' | 'text'; text: string; pages: number | null; cut: Cut }
  | { kind: 'xlsx' | 'csv'; columns: string[]; rows: { [column: string]: Json }[]; sheet: string | null; cut: Cut }
  | { kind: 'image'; format: string; width: number; height: number; cut: null };

/** `key`: of `explanations`. */
export type ReadAnswer = { ok: true; content: ReadContent } | { ok: false; key: string; values: Record<string, string | number> };
export type ReadJob = { name: string; content: Uint8Array };

/** A file is not read, and why. */
export class ReadRefused extends Error {
  readonly key: string;
  readonly values: Record<string, string | number>;
  constructor(key: string, values: Record<string, string | number> = {}) {
    super(key);
    this.name = 'ReadRefused';
    this.key = key;
    this.values = values;
  }
}
