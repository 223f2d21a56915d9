import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { type Candidate, wordsBefore } from '#app/engine/personal-data/plain-text.ts';

/** Numbers of one text whose calling code and length the library is asked about (0.1 ms each); further ones count by their form. */
const MOST_ASKED = 1_000;
const LABEL =
  /(?:tel|phone|mobile|cell|call|fax|whatsapp|handy|téléphone|portable|móvil|teléfono|celular|rufnummer|هاتف|جوال|טלפון|נייד|סלולרי)[\p{L}]{0,12}(?:[ .:#()/-]|number|no|nr){0,12}$/u;
const INTERNATIONAL = /(?<![\p{L}\p{N}_+]|\d )(?:\+|00)[1-9](?:[ ./-]?\(?\d\)?){6,14}(?![\p{L}\p{N}_])/gu;
const NORTH_AMERICAN =
  /(?<![\p{L}\p{N}_+]|\d[-.])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([ .-]))[2-9]\d{2}[ .-]\d{4}(?![\p{L}\p{N}_]|[-.]\d)/gu;
const NATIONAL = /(?<![\p{L}\p{N}_+]|\d[-./ ])\(?0[1-9]\d{0,3}\)?(?:[ ./-]?\d{2,8}){1,5}(?![\p{L}\p{N}_]|[-.:]\d)/gu;
const LABELLED = /(?<![\p{L}\p{N}_+])\(?\d(?:[ ./()-]{0,2}\d){6,14}(?![\p{L}\p{N}_])/gu;
/** As France writes them: no amount, version or address has five pairs. */
const PAIRS = /^\(?0\d(?:\.\d\d){4}$/;
const DATE = /^\(?(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?:\D|$)/;

/** Telephone numbers: international form, the usual national forms, and any number of fitting length after a word like 'Tel.'. */
export function findPhoneNumbers(text: string): Candidate[] {
  const found: Candidate[] = [];
  const add = (pattern: RegExp, accept: (number: string, start: number) => 'certain' | 'possible' | null) => {
    for (const match of text.matchAll(pattern)) {
      const verdict = accept(match[0], match.index);
      if (verdict === null) continue;
      found.push({ kind: 'phone', country: null, start: match.index, end: match.index + match[0].length, certain: verdict === 'certain' });
    }
  };
  let asked = 0;
  add(INTERNATIONAL, (number) => {
    const digits = number.replaceAll(/\D/g, '').replace(/^00/, '');
    if (digits.length < 8 || digits.length > 15) return null;
    asked += 1;
    if (asked <= MOST_ASKED && parsePhoneNumberFromString(`+${digits}`)?.isPossible() !== true) return null;
    return number.startsWith('+') || /[ ./-]/.test(number) ? 'certain' : 'possible';
  });
  add(NORTH_AMERICAN, () => 'certain');
  add(NATIONAL, (number, start) => {
    const digits = number.replaceAll(/\D/g, '');
    if (digits.length < 9 || digits.length > 12 || (DATE.test(number) && !PAIRS.test(number))) return null;
    return /[ /-]/.test(number) || PAIRS.test(number) || LABEL.test(wordsBefore(text, start)) ? 'certain' : 'possible';
  });
  add(LABELLED, (number, start) => (LABEL.test(wordsBefore(text, start)) && !DATE.test(number) ? 'certain' : null));
  return found;
}
