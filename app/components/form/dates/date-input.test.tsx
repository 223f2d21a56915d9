import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DateInput } from '#app/components/form/dates/date-input.tsx';
import { LocaleProvider } from '#app/components/text/locale-context.tsx';
import type { Language } from '#app/domain/web/languages.ts';

const draw = (language: Language, type: 'date' | 'datetime-local', defaultValue: string) =>
  renderToStaticMarkup(
    <LocaleProvider locale={{ language, timeZone: 'Asia/Tokyo', now: '2026-11-27T00:00:00.000Z' }}>
      <DateInput id="on" type={type} defaultValue={defaultValue} aria-describedby="hint" />
    </LocaleProvider>,
  );

test('a day is said in the words of the reader, wherever they are', () => {
  expect(draw('en', 'date', '2026-04-03')).toContain('Friday, April 3, 2026');
  expect(draw('de', 'date', '2026-04-03')).toContain('Freitag, 3. April 2026');
  expect(draw('de', 'datetime-local', '2026-04-03T23:30')).toMatch(/Freitag, 3\. April 2026.*23:30/);
});

test('the words describe the field beside its hint, and are left to scripts, which know when they change', () => {
  const drawn = draw('fr', 'date', '2026-04-03');
  expect(drawn).toContain('aria-describedby="hint on-said"');
  expect(drawn).toMatch(/<p id="on-said" class="[^"]*noscript:hidden/);
});

test('nothing is said of a day that is not chosen', () => {
  for (const value of ['', '2026-04', 'tomorrow']) expect(draw('en', 'date', value)).not.toContain('on-said');
});
