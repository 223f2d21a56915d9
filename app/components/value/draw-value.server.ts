import type { DrawnPart, DrawnValue, FoundPlace, TableCell, TreeNode, ValueOpening } from '#app/components/value/drawn-value.ts';
import { pointerBelow, valueAt } from '#app/components/value/json-pointer.ts';
import { isMarkdown, readMarkdown } from '#app/components/value/read-markdown.server.ts';
import { bytesOf } from '#app/components/value/shown-value.ts';
import type { Json } from '#app/contracts/json.ts';
import { hidesText, revealedText, showHidden } from '#app/domain/connections/hidden-text.ts';

const CLOSED: ValueOpening = { pointer: '', from: 0, find: null };

/** Lines or cells of one value, and characters of its texts: a page holds each twice, drawn and as data. */
const MOST_NODES = 180;
const MOST_CHARACTERS = 8_000;
/** Of a text that was opened by itself. */
const OPENED_CHARACTERS = 64_000;
const SHORT_CHARACTERS = 300;
const MOST_ENTRIES = 100;
const MOST_COLUMNS = 12;
const MOST_FACTS = 20;
const MOST_FOUND = 50;
const AROUND_FOUND = 60;

type Budget = { nodes: number; characters: number };

/** The open part of a value in the form that fits it: text, Markdown, a table of alike objects, facts, or a tree of two levels. */
export function drawValue(value: Json, opening: ValueOpening = CLOSED): DrawnValue {
  const written = JSON.stringify(value, null, 2);
  const at = valueAt(value, opening.pointer);
  const pointer = at === undefined ? '' : opening.pointer;
  const budget = { nodes: MOST_NODES, characters: MOST_CHARACTERS };
  return {
    pointer,
    bytes: bytesOf(written),
    hides: hidesText(written),
    part: drawPart(at ?? value, pointer, at === undefined ? 0 : Math.max(0, opening.from), budget, pointer !== ''),
    found: opening.find === null || opening.find.trim() === '' ? null : findIn(value, opening.find.trim()),
  };
}

function drawPart(value: Json, pointer: string, from: number, budget: Budget, opened = false): DrawnPart {
  if (typeof value === 'string') return drawText(value, budget, opened);
  if (value === null || typeof value !== 'object') return { as: 'text', text: String(value), cut: false };
  const columns = columnsOf(value);
  if (columns !== null) return drawTable(value as readonly { [name: string]: Json }[], columns, pointer, from, budget);
  const entries = entriesOf(value);
  if (!Array.isArray(value) && entries.length > 0 && entries.length <= MOST_FACTS) return drawFacts(entries, pointer, budget);
  return drawTree(value, pointer, from, budget);
}

function drawText(value: string, budget: Budget, opened: boolean): DrawnPart {
  const most = opened ? OPENED_CHARACTERS : Math.max(SHORT_CHARACTERS, budget.characters);
  if (value.length <= most && isMarkdown(value)) {
    budget.characters -= value.length;
    return { as: 'markdown', nodes: readMarkdown(value) };
  }
  return { as: 'text', ...cutText(value, most, budget) };
}

/** Cuts a text, never in the middle of a character, and takes it from the budget. */
function cutText(value: string, most: number, budget: Budget): { text: string; cut: boolean } {
  const end = /[\uD800-\uDBFF]/.test(value.charAt(most - 1)) ? most - 1 : most;
  const text = revealedText(value.slice(0, end));
  budget.characters -= text.length;
  return { text, cut: value.length > end };
}

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isPlain = (value: Json | undefined) => value === null || typeof value !== 'object';

/** The columns of two or more objects that share most of their names and hold mostly plain values; null: a table would not read well. */
function columnsOf(value: Json): string[] | null {
  if (!Array.isArray(value) || value.length < 2) return null;
  const rows = value.slice(0, MOST_ENTRIES);
  if (!rows.every(isObject)) return null;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0 || names.length > MOST_COLUMNS) return null;
  const cells = rows.flatMap((row) => names.map((name) => row[name]));
  const present = cells.filter((cell) => cell !== undefined);
  const plain = present.filter(isPlain);
  return present.length >= cells.length * 0.7 && plain.length >= present.length * 0.7 ? names : null;
}

function drawTable(all: readonly { [name: string]: Json }[], columns: string[], pointer: string, from: number, budget: Budget): DrawnPart {
  const most = Math.max(1, Math.min(MOST_ENTRIES, Math.floor(budget.nodes / columns.length)));
  const first = Math.min(from, Math.max(0, all.length - 1));
  const rows: { key: number; pointer: string; cells: TableCell[] }[] = [];
  for (const [index, row] of all.slice(first, first + most).entries()) {
    if (rows.length > 0 && budget.characters <= 0) break;
    const at = pointerBelow(pointer, first + index);
    rows.push({ key: first + index, pointer: at, cells: columns.map((name) => drawCell(row[name], pointerBelow(at, name), budget)) });
  }
  budget.nodes -= rows.length * columns.length;
  return { as: 'table', columns: columns.map(revealedText), rows, from: first, size: all.length };
}

function drawCell(value: Json | undefined, pointer: string, budget: Budget): TableCell {
  if (value === undefined) return null;
  if (value !== null && typeof value === 'object') return { size: entriesOf(value).length, pointer };
  return cutText(typeof value === 'string' ? value : String(value), SHORT_CHARACTERS, budget);
}

type Entry = [key: string | number, value: Json];
const entriesOf = (value: Json[] | { [name: string]: Json }): Entry[] =>
  Array.isArray(value) ? value.map((item, index): Entry => [index, item]) : Object.entries(value);

function drawFacts(entries: Entry[], pointer: string, budget: Budget): DrawnPart {
  budget.nodes -= entries.length;
  // Each gets its share, so that one long list leaves room for what follows.
  const shares = { nodes: Math.floor(budget.nodes / entries.length), characters: Math.floor(budget.characters / entries.length) };
  return {
    as: 'facts',
    entries: entries.map(([key, value]) => {
      const at = pointerBelow(pointer, key);
      const share = { nodes: Math.max(10, shares.nodes), characters: Math.max(SHORT_CHARACTERS, shares.characters) };
      const isList = columnsOf(value) !== null || typeof value === 'string' || isPlain(value);
      const part = isList ? drawPart(value, at, 0, share) : drawTree(value as Json[] | { [name: string]: Json }, at, 0, share);
      return { key: revealedText(String(key)), pointer: at, value: part };
    }),
  };
}

function drawTree(value: Json[] | { [name: string]: Json }, pointer: string, from: number, budget: Budget): DrawnPart {
  const entries = entriesOf(value);
  const first = Math.min(from, Math.max(0, entries.length - 1));
  return {
    as: 'tree',
    nodes: drawNodes(entries, pointer, first, budget, 1),
    from: first,
    size: entries.length,
    isList: Array.isArray(value),
  };
}

/** Entries from `first` on, as many as fit; those of the first level with theirs. */
function drawNodes(entries: readonly Entry[], pointer: string, first: number, budget: Budget, levelsBelow: number): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const [key, value] of entries.slice(first, first + MOST_ENTRIES)) {
    if (nodes.length > 0 && (budget.nodes <= 0 || budget.characters <= 0)) break;
    budget.nodes -= 1;
    const at = pointerBelow(pointer, key);
    const name = typeof key === 'number' ? key : revealedText(key);
    if (value === null || typeof value !== 'object') {
      const { text, cut } = cutText(showHidden(JSON.stringify(value)), SHORT_CHARACTERS, budget);
      nodes.push({ key: name, pointer: at, text, ...(cut ? { cut: true } : {}) });
    } else {
      const below = entriesOf(value);
      const node = { key: name, pointer: at, size: below.length, isList: Array.isArray(value) };
      const isDrawn = levelsBelow > 0 && budget.nodes > 0 && below.length > 0;
      nodes.push(isDrawn ? { ...node, children: drawNodes(below, at, 0, budget, levelsBelow - 1) } : node);
    }
  }
  return nodes;
}

/** The first places whose name or text has these words, in any case. */
function findIn(value: Json, words: string): NonNullable<DrawnValue['found']> {
  const wanted = words.toLowerCase();
  const places: FoundPlace[] = [];
  const walk = (at: Json, pointer: string): void => {
    if (places.length > MOST_FOUND) return;
    if (at !== null && typeof at === 'object') {
      for (const [key, below] of entriesOf(at)) {
        const place = pointerBelow(pointer, key);
        const isNamed = typeof key === 'string' && key.toLowerCase().includes(wanted);
        if (isNamed) places.push({ pointer: place, text: isPlain(below) ? excerpt(String(below), 0) : '' });
        if (!isNamed || !isPlain(below)) walk(below, place);
      }
      return;
    }
    const text = String(at);
    const found = text.toLowerCase().indexOf(wanted);
    if (found !== -1) places.push({ pointer, text: excerpt(text, found) });
  };
  walk(value, '');
  return { words, places: places.slice(0, MOST_FOUND), more: places.length > MOST_FOUND };
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - AROUND_FOUND);
  const end = at + AROUND_FOUND * 2;
  return revealedText(`${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`);
}
