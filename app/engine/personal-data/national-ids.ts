import { passesLuhn } from '#app/engine/personal-data/accounts.ts';
import { type Candidate, wordsBefore } from '#app/engine/personal-data/plain-text.ts';

/**
 * One country's number: `form` finds it, `valid` checks what is left without separators, `label` is the word that makes
 * certain what a weak check digit alone does not; without `label` the number speaks for itself.
 */
type NationalId = { country: string; form: RegExp; valid: (compact: string) => boolean; label?: RegExp; needsLabel?: boolean };

const BEFORE = '(?<![\\p{L}\\p{N}_]|\\d[-.,])';
const AFTER = '(?![\\p{L}\\p{N}_]|[-.,]\\d)';
const form = (body: string) => new RegExp(`${BEFORE}(?:${body})${AFTER}`, 'giu');
const digitsOf = (text: string) => Array.from(text, Number);
const weighted = (digits: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

const GENERIC_LABEL = 'national id|identity (?:card|number|no)|id (?:number|no|card)|personal (?:number|id)|citizen';

const NATIONAL_IDS: readonly NationalId[] = [
  { country: 'ES', form: form('[0-9XYZ][0-9]{7}[ -]?[A-Z]'), valid: isSpanish },
  { country: 'FR', form: form('[1-478] ?\\d{2} ?\\d{2} ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}'), valid: isFrench },
  {
    country: 'IT',
    form: form('[A-Z]{6} ?[0-9LMNPQRSTUV]{2} ?[A-EHLMPRST][0-9LMNPQRSTUV]{2} ?[A-Z][0-9LMNPQRSTUV]{3} ?[A-Z]'),
    valid: isItalian,
  },
  { country: 'CH', form: form('756\\.?\\d{4}\\.?\\d{4}\\.?\\d{2}'), valid: isSwiss },
  { country: 'BR', form: form('\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'), valid: isBrazilian },
  {
    country: 'BE',
    form: form('\\d{2}\\.\\d{2}\\.\\d{2}-\\d{3}\\.\\d{2}|\\d{11}'),
    valid: isBelgian,
    label: /rijksregister|registre national|national number|insz|niss|belg/,
  },
  { country: 'DE', form: form('[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}'), valid: isGerman },
  { country: 'GB', form: form('[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]'), valid: isBritish },
  { country: 'US', form: form('\\d{3}-\\d{2}-\\d{4}'), valid: isAmerican },
  { country: 'US', form: form('\\d{3} ?\\d{2} ?\\d{4}'), valid: isAmerican, label: /\bssn\b|social security/, needsLabel: true },
  { country: 'PL', form: form('\\d{11}'), valid: isPolish, label: /pesel/ },
  { country: 'GB', form: form('\\d{3}[ -]?\\d{3}[ -]?\\d{4}'), valid: isNhsNumber, label: /\bnhs\b/, needsLabel: true },
  {
    country: 'NL',
    form: form('\\d{9}|\\d{4}\\.\\d{2}\\.\\d{3}'),
    valid: isDutch,
    label: new RegExp(`\\bbsn\\b|burgerservice|sofi-?n|dutch|${GENERIC_LABEL}`),
  },
  {
    country: 'IL',
    form: form('\\d{8}-?\\d'),
    valid: isIsraeli,
    label: new RegExp(`teudat|zehut|תעודת|זהות|ת["״']?\\.?ז|israel|${GENERIC_LABEL}`),
  },
];

/** National ids of twelve countries, by form and check digits. Where several fit, the one whose label stands before it wins. */
export function findNationalIds(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const id of NATIONAL_IDS) {
    for (const match of text.matchAll(id.form)) {
      // Nobody writes one in two cases; base64 does.
      if (match[0] !== match[0].toUpperCase() && match[0] !== match[0].toLowerCase()) continue;
      const compact = match[0].replaceAll(/[ .-]/g, '').toUpperCase();
      if (!id.valid(compact)) continue;
      const certain = id.label === undefined || /[.-]/.test(match[0]) || id.label.test(wordsBefore(text, match.index));
      if (!certain && id.needsLabel === true) continue;
      found.push({ kind: 'national_id', country: id.country, start: match.index, end: match.index + match[0].length, certain });
    }
  }
  return found;
}

/** DNI and NIE: letter by the remainder of 23 (Real Decreto 1553/2005; Orden INT/2058/2008). */
function isSpanish(compact: string): boolean {
  const number = Number(compact.slice(0, 8).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23) === compact.charAt(8);
}

/** NIR: key 97 minus the remainder of 97, Corsica's letters read as 19 and 18 (INSEE). */
function isFrench(compact: string): boolean {
  const month = Number(compact.slice(3, 5));
  if (!((month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50)) return false;
  const body = compact.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97n - (BigInt(body) % 97n) === BigInt(compact.slice(13));
}

const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
/** Codice fiscale: the last letter by the sums of odd and even places (DM 23 December 1976). */
function isItalian(compact: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const character = compact.charAt(index);
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    sum += index % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === compact.charAt(15);
}

/** AHV/AVS number: the check digit of EAN-13. */
function isSwiss(compact: string): boolean {
  const digits = digitsOf(compact);
  return (10 - (weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === digits[12];
}

/** CPF: two check digits by the remainder of 11. */
function isBrazilian(compact: string): boolean {
  const digits = digitsOf(compact);
  if (new Set(digits).size === 1) return false;
  const check = (sum: number) => ((sum * 10) % 11) % 10;
  return (
    check(weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2])) === digits[9] &&
    check(weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) === digits[10]
  );
}

/** Rijksregisternummer: date of birth, and 97 minus the remainder of 97 (with 2 before it for births from 2000 on). */
function isBelgian(compact: string): boolean {
  if (Number(compact.slice(2, 4)) > 12 || Number(compact.slice(4, 6)) > 31) return false;
  const check = Number(compact.slice(9));
  return [compact.slice(0, 9), `2${compact.slice(0, 9)}`].some((body) => 97 - (Number(body) % 97) === check);
}

/** Steuer-ID: ISO 7064 mod 11,10, and of the first ten digits exactly one occurs two or three times (section 139b AO). */
function isGerman(compact: string): boolean {
  const digits = digitsOf(compact);
  const counts = new Map<number, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits[10];
}

/** National Insurance number: no check digit, but prefixes that are never given. */
function isBritish(compact: string): boolean {
  return !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(compact);
}

/** NHS number: the check digit by the remainder of 11. */
function isNhsNumber(compact: string): boolean {
  const digits = digitsOf(compact);
  return (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digits[9];
}

/** Social Security number: no check digit, but areas, groups and serials that are never given (SSA). */
function isAmerican(compact: string): boolean {
  return !/^(?:000|666|9)/.test(compact) && compact.slice(3, 5) !== '00' && compact.slice(5) !== '0000';
}

/** PESEL: date of birth with the century in the month, and weights 1 3 7 9. */
function isPolish(compact: string): boolean {
  const month = Number(compact.slice(2, 4)) % 20;
  const day = Number(compact.slice(4, 6));
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  const digits = digitsOf(compact);
  return (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === digits[10];
}

/** BSN: the test of eleven, with weight -1 for the last digit. */
function isDutch(compact: string): boolean {
  return Number(compact) > 0 && weighted(digitsOf(compact), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** Teudat Zehut: Luhn over nine digits. */
function isIsraeli(compact: string): boolean {
  return passesLuhn(compact);
}
