import type { FormatterModule, InitOptions } from 'i18next';
import { inSentence } from '#app/domain/web/turned-text.ts';
import { writtenNumber } from '#app/platform/i18n/written-number.ts';

/** What i18next does with the values of a text. React escapes what it renders, and mails escape their own values: no value hides, or turns the words around it. */
export const interpolation: NonNullable<InitOptions['interpolation']> = { escapeValue: true, escape: inSentence, alwaysFormat: true };

/** Asked of every value for `alwaysFormat`. */
export const numberFormatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language) => (typeof value === 'number' ? writtenNumber(value, language ?? 'en') : (value as string)),
};
