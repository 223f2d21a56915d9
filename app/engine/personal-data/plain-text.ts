/** A place in a text that may hold personal data, before overlaps are settled. */
export type Candidate = {
  kind: 'email' | 'phone' | 'iban' | 'payment_card' | 'national_id';
  country: string | null;
  start: number;
  end: number;
  certain: boolean;
};

const CONTEXT_CHARACTERS = 48;
const OTHER_FORMS = /[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19\u00A0\u2007\u2009\u200A\u202F\u2010-\u2015\u2212\uFF0B]/g;

/** The same text, offset by offset, with Arabic and full-width digits, special spaces and dashes in their ASCII form. */
export function plainForm(text: string): string {
  return text.replaceAll(OTHER_FORMS, (character) => {
    const code = character.charCodeAt(0);
    if (code >= 0xff10 && code <= 0xff19) return String(code - 0xff10);
    if (code >= 0x06f0 && code <= 0x06f9) return String(code - 0x06f0);
    if (code >= 0x0660 && code <= 0x0669) return String(code - 0x0660);
    if (code === 0xff0b) return '+';
    return (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? '-' : ' ';
  });
}

const UUID = /(?<![\p{L}\p{N}])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/giu;
const HEX_GROUPS = /(?<![\p{L}\p{N}-])(?:[0-9a-f]+(?:-[0-9a-f]+)+|[0-9A-F]+(?:-[0-9A-F]+)+)(?![\p{L}\p{N}-])/gu;
const SHORTEST_HEX = 16;
const MOST_FOURS = 6;
const BASE64 = /(?<![\p{L}\p{N}+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![\p{L}\p{N}+/_=-])/gu;
const LEAST_MIXED = 0.4;

/**
 * The same text, offset by offset, without what programs name things by: UUIDs, hexadecimal groups joined by dashes, and base64. By chance
 * some of their parts read like a phone number or an IBAN. A number of digits alone stays, unless it is longer than any that people have.
 */
export function withoutMachineTokens(text: string): string {
  const hide = (token: string) => '_'.repeat(token.length);
  return text
    .replaceAll(UUID, hide)
    .replaceAll(BASE64, (token) => (isMixed(token) ? hide(token) : token))
    .replaceAll(HEX_GROUPS, (token) => (token.length >= SHORTEST_HEX && isHexadecimal(token) ? hide(token) : token));
}

/**
 * Two groups that mix letters and digits, or one as long as half a UUID: `GB82-WEST` is not one, nor is a word beside a number. Or more
 * groups of four than the longest IBAN that reads like hexadecimal, Andorra's.
 */
function isHexadecimal(token: string): boolean {
  const groups = token.split('-');
  if (groups.length > MOST_FOURS && groups.every((group) => group.length === 4)) return true;
  const mixed = groups.filter((group) => /\d/.test(group) && /[a-f]/i.test(group));
  return mixed.length >= 2 || mixed.some((group) => group.length >= SHORTEST_HEX);
}

/** Small letters, capitals and digits by turns, as in nothing that a person writes: two of three neighbours differ where it is random. */
function isMixed(token: string): boolean {
  const changes = token.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return changes >= token.length * LEAST_MIXED;
}

/** The words shortly before a place, where a label like 'BSN:' would stand. */
export function wordsBefore(text: string, start: number): string {
  return text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start).toLowerCase();
}

/** True when the character is a letter or digit, so that a number beside it is only part of a longer word. */
export function isWordCharacter(character: string): boolean {
  return character !== '' && /[\p{L}\p{N}_]/u.test(character);
}

/** Reads `count` letters or digits from `start`, passing single separators between them; null where the text does not hold them. */
export function readSpaced(text: string, start: number, count: number, separators: string): { compact: string; end: number } | null {
  let compact = '';
  let at = start;
  while (compact.length < count) {
    const character = text.charAt(at);
    if (/[A-Za-z0-9]/.test(character)) compact += character;
    else if (!separators.includes(character) || character === '' || !/[A-Za-z0-9]/.test(text.charAt(at - 1)) || at === start) return null;
    at += 1;
  }
  return { compact, end: at };
}
