import { expect, test } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { writtenNumber } from '#app/platform/i18n/written-number.ts';

test.each(LANGUAGES)('numbers are written as %s writes them, small ones too', (language) => {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  for (const value of [...Array.from({ length: 1_100 }, (_, index) => index), -1, 0.5, 1_234_567])
    expect(writtenNumber(value, language)).toBe(format.format(value));
});
