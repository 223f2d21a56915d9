import { fieldNameOf } from '#app/domain/workflows/import/field-name.ts';
import { expressionKey } from '#app/domain/workflows/mappings/expression-text.ts';

/** Where the names of an expression lead: the step or input that a node became, and what the step before gives. */
export type ExpressionScope = { before: string | null; placeOf: (node: string) => string | null };

const PATH = String.raw`((?:\.[A-Za-z_$][\w$]*|\[(?:"[^"\]]*"|'[^'\]]*'|\d+)\])*)`;
const OWN = new RegExp(String.raw`^\$json${PATH}$`);
const OTHER = new RegExp(
  String.raw`^\$(?:\((?:"([^"]*)"|'([^']*)')\)(?:\.(?:item|first\(\)|last\(\)))?\.json|node\[(?:"([^"]*)"|'([^']*)')\]\.json)${PATH}$`,
);
const PART = /\.([A-Za-z_$][\w$]*)|\["([^"\]]*)"\]|\['([^'\]]*)'\]|\[(\d+)\]/g;
const INPUT_WRAPPER = /^\.(?:body|query)(?=\.)/;

/**
 * An expression of n8n as one of ours, without its mark: names of data, and texts with names in them. Null where it says more: its
 * JavaScript has no counterpart.
 */
export function translateExpression(value: string, scope: ExpressionScope): string | null {
  const text = value.replace(/^=/, '');
  const whole = /^\s*\{\{([\s\S]*?)\}\}\s*$/.exec(text);
  if (whole !== null && !whole[1]?.includes('{{')) return translateName(whole[1] ?? '', scope);
  const parts = partsOf(text);
  const translated = parts.map((part) => {
    if (!(part.startsWith('{{') && part.endsWith('}}'))) return JSON.stringify(part);
    const name = translateName(part.slice(2, -2), scope);
    return name === null ? null : `$string(${name})`;
  });
  return translated.includes(null) ? null : translated.join(' & ');
}

/** Texts and what stands in double braces, in their order. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf('{{', at);
    const end = begin === -1 ? -1 : text.indexOf('}}', begin + 2);
    if (end === -1) return [...parts, text.slice(at)];
    if (begin > at) parts.push(text.slice(at, begin));
    parts.push(text.slice(begin, end + 2));
    at = end + 2;
  }
  return parts;
}

function translateName(code: string, scope: ExpressionScope): string | null {
  const text = code.trim();
  const own = OWN.exec(text);
  if (own !== null) return placed(scope.before, own[1] ?? '');
  const other = OTHER.exec(text);
  if (other !== null) return placed(scope.placeOf(other[1] ?? other[2] ?? other[3] ?? other[4] ?? ''), other[5] ?? '');
  if (/^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text)) return text;
  if (/^"[^"\\]*"$/.test(text)) return text;
  if (/^'[^'\\"]*'$/.test(text)) return JSON.stringify(text.slice(1, -1));
  if (text === '$now' || text === '$now.toISO()') return '$now()';
  return null;
}

function placed(place: string | null, path: string): string | null {
  if (place === null) return null;
  const inner = place === 'input' ? path.replace(INPUT_WRAPPER, '') : path;
  return (
    place +
    inner.replace(PART, (_, dotted?: string, double?: string, single?: string, index?: string, at?: number) => {
      if (index !== undefined) return `[${index}]`;
      const name = dotted ?? double ?? single ?? '';
      return `.${place === 'input' && at === 0 ? fieldNameOf(name) : expressionKey(name)}`;
    })
  );
}
