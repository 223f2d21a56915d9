import { type Filter, parse } from 'scim2-parse-filter';
import { ScimError } from '#app/engine/directory/scim-error.ts';

/** Before anything is parsed: 20,000 brackets end the parser's stack, 20,000 terms hold the process up for 0.8 s. */
const MAX_BYTES = 1_024;
const MAX_TERMS = 40;
const MAX_DEPTH = 12;

export const invalidFilter = (detail: string) => new ScimError(400, detail, 'invalidFilter');

/** Reads a filter (RFC 7644, section 3.4.2.2) within its limits. Entra writes `True` and `False`. @throws ScimError invalidFilter */
export function parseFilter(text: string): Filter {
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalidFilter(`A filter has at most ${MAX_BYTES} bytes.`);
  if (text.includes('\0') || !text.isWellFormed()) throw invalidFilter('The filter holds characters that no text has.');
  if (depthOf(text) > MAX_DEPTH) throw invalidFilter(`A filter nests at most ${MAX_DEPTH} levels.`);
  const filter = parsed(plainLiterals(text));
  if (termsOf(filter) > MAX_TERMS) throw invalidFilter(`A filter has at most ${MAX_TERMS} terms.`);
  return filter;
}

function parsed(text: string): Filter {
  try {
    return parse(text);
  } catch (error) {
    throw invalidFilter(`The filter cannot be read: ${error instanceof Error ? error.message.slice(0, 120) : 'unknown'}.`);
  }
}

const QUOTED = /("(?:[^"\\]|\\.)*")/;

/** Texts in quotes stay as they are. */
function plainLiterals(text: string): string {
  return text
    .split(QUOTED)
    .map((part) => (part.startsWith('"') ? part : part.replace(/\b(?:true|false|null)\b/gi, (word) => word.toLowerCase())))
    .join('');
}

/** Levels of brackets, and of `not`, which needs none. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const sign of text
    .split(QUOTED)
    .filter((part) => !part.startsWith('"'))
    .join('')) {
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest + (text.match(/\bnot\b/gi)?.length ?? 0);
}

function termsOf(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, one) => sum + termsOf(one), 0);
    case 'not':
      return termsOf(filter.filter);
    case '[]':
      return termsOf(filter.valFilter);
    default:
      return 1;
  }
}
