import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { expressionKey, isExpression } from '#app/domain/workflows/mappings/expression-text.ts';
import { EXPRESSION_FUNCTIONS } from '#app/domain/workflows/mappings/functions.ts';
import type { KnownValue } from '#app/domain/workflows/mappings/known-data.ts';

/** `always`: the field holds nothing but an expression. `marked`: one that begins with `=`. `template`: those in double braces. */
export const EXPRESSION_USES = ['always', 'marked', 'template'] as const;
export type ExpressionUse = (typeof EXPRESSION_USES)[number];
/** `text` goes into the place of what was typed; `takes`: what a function is given. */
export type Suggestion = { text: string; title: string; type: FieldType | null; takes: string | null };
/** `from` and `to`: the part of the text that a suggestion replaces. */
export type Completion = { from: number; to: number; suggestions: Suggestion[] };

/** A text with a name at its end. */
export function withName(text: string, use: ExpressionUse, name: string): string {
  if (text.trim() === '') return firstText(use, name);
  return `${text.replace(/\s+$/, '')} ${use === 'template' ? firstText(use, name) : name}`;
}

/** The text of an empty field into which a name is put. */
export const firstText = (use: ExpressionUse, name: string): string => (use === 'template' ? `{{ ${name} }}` : `=${name}`);

const MOST = 50;
/** Longer paths are not looked for, so that a long text costs no more than a short one. */
const LONGEST_PATH = 1_000;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const NAME = '(?:[A-Za-z_]\\w*|`[^`]*`)';
/** At the end of a text the names of a path with a dot after each, and the beginning of the next. */
const PATH = new RegExp(`((?:${NAME}(?:\\[[^[\\]]*\\])*\\s*\\.\\s*)*)(\`[^\`]*|[A-Za-z_]\\w*)?$`);
const PATH_BEFORE = new RegExp(`(${NAME}(?:\\[[^[\\]]*\\])*(?:\\s*\\.\\s*${NAME}(?:\\[[^[\\]]*\\])*)*)\\s*$`);
const EACH_NAME = new RegExp(`(${NAME})(?:\\[[^[\\]]*\\])*`, 'g');

/** Suggestions for the word at the cursor, or null without any. */
export function completionAt(text: string, cursor: number, use: ExpressionUse, known: readonly KnownValue[]): Completion | null {
  const start = startOf(text, cursor, use);
  if (start === null) return null;
  // Each character stays at its place, so that what is in quotes is not taken for a name or a bracket.
  const before = text.slice(start, cursor).replace(QUOTED, (quoted) => `"${'_'.repeat(quoted.length - 2)}"`);
  if (/["']/.test(before.replace(QUOTED, ''))) return null;
  const variable = /\$(\w*)$/.exec(before);
  if (variable !== null)
    return completion(text, cursor, (variable[1] ?? '').length + 1, functionsLike(variable[1] ?? '', variablesOf(before)));
  const [whole, path = '', word = ''] = PATH.exec(before.slice(-LONGEST_PATH)) ?? [''];
  if (/[.$\w"]$/.test(before.slice(0, before.length - whole.length))) return null;
  const typed = word.replace('`', '').toLowerCase();
  const way = keysOf(path);
  const found = way.length > 0 ? inside(known, way, typed) : atRoot(known, typed, surroundingOf(before));
  return completion(text, cursor, word.length, found);
}

function completion(text: string, cursor: number, typed: number, found: readonly Suggestion[]): Completion | null {
  const from = cursor - typed;
  const to = cursor + (/^\w*/.exec(text.slice(cursor))?.[0].length ?? 0);
  const suggestions = found.slice(0, MOST);
  const [only] = suggestions;
  // The word is complete already.
  if (only === undefined || (suggestions.length === 1 && only.text === text.slice(from, to))) return null;
  return { from, to, suggestions };
}

/** Where the expression begins in which the cursor stands; null: it is in none. */
function startOf(text: string, cursor: number, use: ExpressionUse): number | null {
  if (use === 'template') {
    const opened = text.lastIndexOf('{{', cursor - 1);
    return opened === -1 || opened + 2 > cursor || text.slice(opened, cursor).includes('}}') ? null : opened + 2;
  }
  const mark = isExpression(text) ? text.indexOf('=') + 1 : 0;
  if (use === 'marked' && mark === 0) return null;
  return cursor < mark ? null : mark;
}

const keysOf = (path: string): string[] => [...path.matchAll(EACH_NAME)].map(([, name = '']) => name.replaceAll('`', ''));

/** The path in whose filter, order or projection the end of the text stands: `lines` in `lines[`, `lines^(` and `lines.{`. */
function surroundingOf(before: string): string[] {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character)) {
      depth -= 1;
      if (depth >= 0) continue;
      const head = before.slice(0, at);
      const base = character === '[' ? head : /[.^]\s*$/.test(head) ? head.replace(/[.^]\s*$/, '') : '';
      return keysOf(PATH_BEFORE.exec(base)?.[1] ?? '');
    }
  }
  return [];
}

/** The names inside of what a way leads to, the ones that begin with what was typed first. */
function inside(known: readonly KnownValue[], way: readonly string[], typed: string): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const { at, title, type } of known) {
    const key = at[way.length];
    if (key === undefined || way.some((one, index) => at[index] !== one)) continue;
    const isIt = at.length === way.length + 1;
    if (isIt || !found.has(key)) found.set(key, suggestion(expressionKey(key), isIt ? title : '', isIt ? type : 'group'));
  }
  return ranked([...found.values()], typed);
}

/** The outermost names, those of the list in whose filter one is, and whole paths of which a part or the title fits. */
function atRoot(known: readonly KnownValue[], typed: string, around: readonly string[]): Suggestion[] {
  const near = [...(around.length > 0 ? inside(known, around, typed) : []), ...inside(known, [], typed)];
  if (typed === '') return near;
  const paths = known.filter(({ at, title }) => at.length > 1 && [...at.slice(1), ...title.split(/\s+/)].some(begins(typed)));
  return [...near, ...paths.map(({ expression, title, type }) => suggestion(expression, title, type))];
}

const begins = (typed: string) => (text: string) => text.toLowerCase().startsWith(typed);

/** Those that begin with what was typed, and then those that hold it or whose title does. */
function ranked(all: readonly Suggestion[], typed: string): Suggestion[] {
  const starts = (one: Suggestion) => begins(typed)(one.text.replaceAll('`', ''));
  const holds = (one: Suggestion) => !starts(one) && `${one.text} ${one.title}`.toLowerCase().includes(typed);
  return [...all.filter(starts), ...all.filter(holds)];
}

const suggestion = (text: string, title: string, type: FieldType | null): Suggestion => ({ text, title, type, takes: null });

/** Names that the expression itself has given: `$total := …`. */
const variablesOf = (before: string): string[] => [...new Set([...before.matchAll(/\$(\w+)\s*:=/g)].map(([, name = '']) => name))];

function functionsLike(typed: string, variables: readonly string[]): Suggestion[] {
  const own = variables.map((name) => suggestion(`$${name}`, '', null));
  const functions = Object.entries(EXPRESSION_FUNCTIONS).map(([name, takes]) => ({ text: `$${name}`, title: '', type: null, takes }));
  return ranked([...own, ...functions], `$${typed.toLowerCase()}`);
}
