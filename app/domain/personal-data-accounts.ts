import { type Candidate, isWordCharacter, readSpaced } from '#app/domain/personal-data-text.ts';

/** Length of an IBAN by country: the SWIFT IBAN registry. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23
GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18
NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** IBANs: the length of their country and the remainder 1 of ISO 7064 mod 97-10. */
export function findBankAccounts(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_])[A-Za-z]{2} ?\d ?\d/gu)) {
    const country = match[0].slice(0, 2).toUpperCase();
    const length = IBAN_LENGTHS[country];
    if (length === undefined) continue;
    const read = readSpaced(text, match.index, length, ' -');
    if (read === null || isWordCharacter(text.charAt(read.end)) || !isValidIban(read.compact)) continue;
    found.push({ kind: 'iban', country, start: match.index, end: read.end, certain: true });
  }
  return found;
}

/** Checks an IBAN without separators (ISO 13616). */
export function isValidIban(iban: string): boolean {
  const upper = iban.toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(upper) || IBAN_LENGTHS[upper.slice(0, 2)] !== upper.length) return false;
  let remainder = 0;
  for (const character of upper.slice(4) + upper.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
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
