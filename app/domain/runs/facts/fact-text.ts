import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { readRows } from '#app/domain/runs/facts/fact-rows.ts';
import { factType } from '#app/domain/runs/facts/fact-type.ts';
import type { Formats } from '#app/domain/web/formats.ts';
import { isSecretField } from '#app/domain/web/preserved-form.ts';
import { PLAIN_VALUES } from '#app/domain/workflows/fields/plain-values.ts';

/** How a language writes facts. `say` puts a shipped text into it. */
export type FactWords = { formats: Formats; yes: string; no: string; say(text: string): string };

const MOST_CHARACTERS = 300;
const MOST_ROWS = 5;
const SECRET = '•••';

/** A fact of an approval in one line, formatted as its page does and cut. What its name says to be secret is not in it. */
export function factText(name: string, value: Json, words: FactWords): string {
  if (isSecretField(name)) return SECRET;
  return cut(lineOf(value, words));
}

/** The name of a fact, in one line. */
export const factName = (name: string, { say }: FactWords): string => revealedText(say(name)).replace(/\s+/gu, ' ');

function lineOf(value: Json, words: FactWords): string {
  const rows = readRows(value);
  if (rows !== null) {
    const lines = rows.rows.slice(0, MOST_ROWS).map((cells) =>
      words.formats.series(
        cells.flatMap((cell, place) => {
          const column = rows.columns[place] ?? '';
          return cell === null ? [] : [`${factName(column, words)} ${factText(column, cell, words)}`];
        }),
      ),
    );
    return [...lines, ...(rows.rows.length > MOST_ROWS ? ['…'] : [])].join('; ');
  }
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry !== 'object'))
    return words.formats.series(value.map((entry) => plainText(entry, words)));
  return plainText(value, words);
}

function plainText(value: Json, { formats, yes, no, say }: FactWords): string {
  const type = factType(value);
  if (type === 'boolean') return value ? yes : no;
  if (type !== null) return PLAIN_VALUES[type](value, formats) ?? '';
  if (value === null || value === '') return '–';
  if (typeof value === 'string') return revealedText(say(value));
  return revealedText(JSON.stringify(value, (key, member: Json) => (isSecretField(key) ? SECRET : member)));
}

function cut(text: string): string {
  const characters = [...text.replace(/[^\S\u00A0\u202F]+/gu, ' ').trim()];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : characters.join('');
}
