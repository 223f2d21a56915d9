import { leftToWrite } from '#app/domain/workflows/import/jsonata-text.ts';
import { type ExpressionScope, translateExpression } from '#app/domain/workflows/import/n8n-expressions.ts';

/** The longest value of a mapping. */
export const MOST_CHARACTERS = 20_000;

/** A value as a mapping has it. Not whole: it says more than names of data, and has to be written. */
export type Mapped = { text: string; isWhole: boolean };

/** A node's parameter as the value of a mapping. */
export function mappingOf(value: unknown, scope: ExpressionScope): Mapped {
  if (typeof value === 'object') return { text: `=${leftToWrite(JSON.stringify(value))}`, isWhole: false };
  const text = String(value);
  if (!text.startsWith('=')) return { text: text.slice(0, MOST_CHARACTERS), isWhole: text.length <= MOST_CHARACTERS };
  const translated = translateExpression(text, scope);
  if (translated === null || translated.length >= MOST_CHARACTERS) return { text: `=${leftToWrite(text.slice(1))}`, isWhole: false };
  return { text: `=${translated}`, isWhole: true };
}

export const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
