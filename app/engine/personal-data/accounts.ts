import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import { type Candidate, isWordCharacter, readSpaced } from '#app/engine/personal-data/plain-text.ts';

/** Length of an IBAN by country; of a country without any the library knows no length. */
const IBAN_LENGTHS = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) => (chars === null ? [] : [[country, chars]])),
);

/** IBANs: structure and check digits of their country (ISO 13616), in one case throughout, as nobody writes one in two. */
export function findBankAccounts(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])(?:[A-Z]{2}|[a-z]{2}) ?\d ?\d/gu)) {
    const country = match[0].slice(0, 2).toUpperCase();
    const length = IBAN_LENGTHS.get(country);
    if (length === undefined) continue;
    const read = readSpaced(text, match.index, length, ' -');
    if (read === null || isWordCharacter(text.charAt(read.end)) || !isValidIban(read.compact)) continue;
    found.push({ kind: 'iban', country, start: match.index, end: read.end, certain: true });
  }
  return found;
}

/** Checks an IBAN without separators, in capitals or in small letters. */
export function isValidIban(iban: string): boolean {
  const upper = iban.toUpperCase();
  return (iban === upper || iban === iban.toLowerCase()) && isValidIBAN(upper);
}

type CardNetwork = { prefix: RegExp; lengths: readonly number[] };
/** Issuer prefixes and lengths (ISO/IEC 7812 ranges as the networks publish them). */
const CARD_NETWORKS: readonly CardNetwork[] = [
  { prefix: /^4/, lengths: [19, 16, 13] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [19, 16] },
  { prefix: /^(?:30[0-5]|309|36|38|39)/, lengths: [16, 14] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [19, 16] },
  { prefix: /^62/, lengths: [19, 18, 17, 16] },
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [19, 16, 13, 12] },
];
const CARD_GROUPS = /^(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}(?:\1\d{1,4})?(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})$/;

/** Payment cards: prefix and length of a network, usual grouping, and the check digit of Luhn. */
export function findPaymentCards(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])(?<!\d[.,])[2-6]\d{3}/gu)) {
    const start = match.index;
    const lengths = CARD_NETWORKS.filter((network) => network.prefix.test(match[0])).flatMap((network) => network.lengths);
    for (const length of lengths) {
      const read = readSpaced(text, start, length, ' -');
      if (read === null || isWordCharacter(text.charAt(read.end)) || !/^\d+$/.test(read.compact)) continue;
      if (!CARD_GROUPS.test(text.slice(start, read.end)) || !passesLuhn(read.compact)) continue;
      found.push({ kind: 'payment_card', country: null, start, end: read.end, certain: true });
      break;
    }
  }
  return found;
}

/** Luhn's check digit (ISO/IEC 7812-1 annex B) over a string of digits; all zeros do not count. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum > 0 && sum % 10 === 0;
}
