import type { z } from 'zod';

/**
 * A validation message on its way from schema to screen: a key of the namespace `validation`, with values after a
 * question mark (`tooShort?minimum=6`), so that schemas stay free of any language.
 */
export function message(key: string, values: Record<string, string | number> = {}): string {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? key : `${key}?${query}`;
}

/** Key and values of a message; numbers come back as numbers, so that plurals work. */
export function readMessage(text: string): { key: string; values: Record<string, string | number> } {
  const mark = text.indexOf('?');
  if (mark === -1) return { key: text, values: {} };
  const values: Record<string, string | number> = {};
  for (const [name, value] of new URLSearchParams(text.slice(mark + 1))) {
    values[name] = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  // i18next chooses the plural by `count`.
  if (typeof values.minimum === 'number') values.count ??= values.minimum;
  if (typeof values.maximum === 'number') values.count ??= values.maximum;
  return { key: text.slice(0, mark), values };
}

/** Messages for issues without one in the schema. */
export const defaultMessages: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return message('required');
      return message(issue.expected === 'number' || issue.expected === 'int' ? 'notANumber' : 'invalid');
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? message('required') : message('tooShort', { minimum: Number(issue.minimum) });
      if (issue.origin === 'array' || issue.origin === 'set') {
        return issue.minimum === 1 ? message('chooseAtLeastOne') : message('tooFew', { minimum: Number(issue.minimum) });
      }
      return message('tooSmall', { limit: Number(issue.minimum) });
    case 'too_big':
      if (issue.origin === 'string') return message('tooLong', { maximum: Number(issue.maximum) });
      if (issue.origin === 'array' || issue.origin === 'set') return message('tooMany', { maximum: Number(issue.maximum) });
      return message('tooBig', { limit: Number(issue.maximum) });
    case 'invalid_format':
      if (issue.format === 'email') return message('invalidEmail');
      if (issue.format === 'url') return message('invalidUrl');
      return message('invalid');
    case 'invalid_value':
      return issue.input === undefined ? message('chooseOne') : message('invalid');
    default:
      return message('invalid');
  }
};
