import type { Json } from '#app/contracts/json.ts';
import type { TemplateBlock, TemplatePart } from '#app/domain/documents/document-template.ts';

/** A value has no place where its template puts it. */
export class TemplateValueError extends Error {
  readonly expression: string;
  constructor(expression: string) {
    super('a value that is no text');
    this.name = 'TemplateValueError';
    this.expression = expression;
  }
}

/** Null: a cell without a value. */
export type FlowCell = { text: string; isNumber: boolean } | null;
/** A template with its values, for whoever writes a format: nothing but text. */
export type FlowBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'paragraph' | 'item'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; head: string[] | null; rows: { name: string | null; cells: FlowCell[] }[] };

/** Puts the values into a template. `read` gives those of the expressions. @throws TemplateValueError */
export function flowOf(blocks: readonly TemplateBlock[], read: (expression: string) => Json): FlowBlock[] {
  const textOf = (parts: readonly TemplatePart[]) =>
    parts.map((part) => ('text' in part ? part.text : inlineText(part.expression, read(part.expression)))).join('');
  return blocks.flatMap((block) => {
    if (block.kind === 'alone') return blockOf(block.expression, read(block.expression)) ?? [];
    const text = textOf(block.parts);
    return block.kind === 'heading' ? { kind: block.kind, level: block.level, text } : { kind: block.kind, text };
  });
}

type Direction = 'ltr' | 'rtl';
const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** By the first letter, as `dir="auto"` finds it. Null: a number or sign reads from left to right and stands as the document does. */
export function directionOf(text: string): Direction | null {
  const [letter] = FIRST_LETTER.exec(text) ?? [];
  if (letter === undefined) return null;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/** That of the first text with letters: which side its tables and lists begin on. */
export function flowDirection(flow: readonly FlowBlock[]): Direction {
  for (const block of flow) {
    const found = textsOf(block)
      .map(directionOf)
      .find((direction) => direction !== null);
    if (found !== undefined) return found;
  }
  return 'ltr';
}

function textsOf(block: FlowBlock): string[] {
  if (block.kind === 'list') return block.items;
  if (block.kind !== 'table') return [block.text];
  return [...(block.head ?? []), ...block.rows.flatMap(({ name, cells }) => [name ?? '', ...cells.map((cell) => cell?.text ?? '')])];
}

function inlineText(expression: string, value: Json): string {
  if (Array.isArray(value)) return value.map((item) => inlineText(expression, item)).join(', ');
  if (value === null || typeof value === 'object') throw new TemplateValueError(expression);
  return String(value);
}

const isRow = (value: Json): value is { [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value that stands alone: rows are a table, other lists a list, an object a table of its members. Null where nothing is in it: Word opens no
 * document with a table without cells.
 */
function blockOf(expression: string, value: Json): FlowBlock | null {
  if (isRow(value)) {
    const members = Object.entries(value);
    return members.length === 0
      ? null
      : { kind: 'table', head: null, rows: members.map(([name, member]) => ({ name, cells: [cellOf(member)] })) };
  }
  if (!Array.isArray(value)) return { kind: 'paragraph', text: inlineText(expression, value) };
  if (value.every(isRow)) return tableOf(value);
  return { kind: 'list', items: value.map((item) => inlineText(expression, item)) };
}

function tableOf(rows: readonly { [key: string]: Json }[]): FlowBlock | null {
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (head.length === 0) return null;
  return { kind: 'table', head, rows: rows.map((row) => ({ name: null, cells: head.map((key) => cellOf(row[key] ?? null)) })) };
}

function cellOf(value: Json): FlowCell {
  if (value === null) return null;
  return { text: typeof value === 'object' ? JSON.stringify(value) : String(value), isNumber: typeof value === 'number' };
}
