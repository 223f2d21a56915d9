import type { FormatterModule, InitOptions } from 'i18next';
import { inSentence } from '#app/domain/web/bidi-controls.ts';
import { writtenNumber } from '#app/platform/i18n/written-number.ts';

/**
 * How i18next treats values in a text. React escapes what it renders, and mails escape their own values: no value hides, or reverses the
 * words around it.
 */
export const interpolation: NonNullable<InitOptions['interpolation']> = { escapeValue: true, escape: inSentence, alwaysFormat: true };

/** Asked of every value for `alwaysFormat`. */
export const numberFormatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language) => (typeof value === 'number' ? writtenNumber(value, language ?? 'en') : (value as string)),
};
