import type { RouterContextProvider } from 'react-router';
import { sentenceInReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { readAsked } from '#app/domain/runs/subject/asked.ts';
import { type AskedWords, askedText } from '#app/domain/runs/subject/subject-text.ts';
import { type Formats, makeFormats } from '#app/domain/web/formats.ts';
import { getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** How the reader's language says what an approval would do. */
export function askedWords(context: Readonly<RouterContextProvider>): AskedWords & Formats {
  const say = getTranslator(context, 'explanations');
  const formats = makeFormats({ language: getLanguage(context), timeZone: 'UTC', now: new Date(0).toISOString() });
  return { ...formats, call: (values) => say('askedCall', values), sentence: sentenceInReadersLanguage(context) };
}

/** The name of an approval: the act that it would release (`stored`, from `quorate.asked_of`), or else its own title. */
export function approvalTitles(context: Readonly<RouterContextProvider>): (title: string, stored: unknown) => string {
  const words = askedWords(context);
  return (title, stored) => {
    const asked = readAsked(stored);
    return asked === null ? title : askedText(asked, words);
  };
}
