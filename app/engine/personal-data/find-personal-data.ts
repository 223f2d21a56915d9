/**
 * Detection of personal data in text and in JSON, by form and check digits. Pure, and linear in the length of the text:
 * every pattern is bounded, and candidates are found by scanning, never by backtracking over the whole.
 */

import type { Json } from '#app/contracts/json.ts';
import { findBankAccounts, findPaymentCards } from '#app/engine/personal-data/accounts.ts';
import { findNationalIds } from '#app/engine/personal-data/national-ids.ts';
import { findPhoneNumbers } from '#app/engine/personal-data/phones.ts';
import { type Candidate, plainForm, withoutMachineTokens } from '#app/engine/personal-data/plain-text.ts';

export const PERSONAL_DATA_KINDS = ['email', 'phone', 'iban', 'payment_card', 'national_id'] as const;
export type PersonalDataKind = (typeof PERSONAL_DATA_KINDS)[number];

/**
 * One place in a text. `start` and `end` are UTF-16 offsets (end exclusive), `masked` keeps the form and hides the value.
 * `certain` is false where only a weak check digit speaks for it and no word nearby does (nine bare digits, say).
 */
export type PersonalDataFinding = {
  kind: PersonalDataKind;
  /** ISO 3166 code of the country whose number it is: national ids and IBANs. */
  country: string | null;
  start: number;
  end: number;
  masked: string;
  certain: boolean;
};

/** Characters of all strings of a JSON value that `personalDataKinds` reads before it refuses. */
export const PERSONAL_DATA_MAX_CHARACTERS = 10_000_000;

/** Finds personal data in a text, in order, without overlaps: of two that overlap the more specific stays. */
export function findPersonalData(text: string): PersonalDataFinding[] {
  if (!/[@\p{Nd}]/u.test(text)) return [];
  const plain = plainForm(text);
  const numbers = withoutMachineTokens(plain);
  const found: Candidate[] = [
    ...findEmails(plain),
    ...findBankAccounts(numbers),
    ...findPaymentCards(numbers),
    ...findNationalIds(numbers),
    ...findPhoneNumbers(numbers),
  ];
  const strength = new Map(found.map((candidate, index) => [candidate, (candidate.certain ? 0 : found.length) + index]));
  const rank = (candidate: Candidate) => strength.get(candidate) ?? 0;
  const kept: Candidate[] = [];
  for (const candidate of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    // Kept ones do not overlap and are in order, so only the last can collide with the next.
    const last = kept.at(-1);
    if (last === undefined || last.end <= candidate.start) kept.push(candidate);
    else if (rank(candidate) < rank(last)) kept[kept.length - 1] = candidate;
  }
  return kept.map((candidate) => ({ ...candidate, masked: mask(candidate.kind, text.slice(candidate.start, candidate.end)) }));
}

/**
 * Kinds of personal data anywhere in a JSON value: strings, whole numbers, and keys, each read with its key before it so
 * that `{"bsn": "111222333"}` is understood. Findings that are not certain are left out.
 * @throws RangeError when the value holds more text than is read: a caller that decides by this must then refuse.
 */
export function personalDataKinds(value: Json): PersonalDataKind[] {
  const kinds = new Set<PersonalDataKind>();
  const open: { value: Json; key: string }[] = [{ value, key: '' }];
  let left = PERSONAL_DATA_MAX_CHARACTERS;
  const read = (text: string, key: string) => {
    left -= text.length + key.length;
    if (left < 0) throw new RangeError('too much text to look for personal data');
    const words = key === '' || text.length > 64 ? '' : `${key.slice(0, 40).replaceAll(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' ')}: `;
    for (const finding of findPersonalData(words + text)) if (finding.certain && finding.end > words.length) kinds.add(finding.kind);
  };
  for (let next = open.pop(); next !== undefined && kinds.size < PERSONAL_DATA_KINDS.length; next = open.pop()) {
    const { value: current, key } = next;
    if (typeof current === 'string') read(current, key);
    else if (typeof current === 'number') {
      if (Number.isSafeInteger(current) && current > 99_999) read(String(current), key);
    } else if (Array.isArray(current)) for (const item of current) open.push({ value: item, key });
    else if (current !== null && typeof current === 'object') {
      for (const [name, item] of Object.entries(current)) {
        read(name, '');
        open.push({ value: item, key: name });
      }
    }
  }
  return PERSONAL_DATA_KINDS.filter((kind) => kinds.has(kind));
}

/** Replaces findings by their kind in brackets, or by their mask. `findings` as `findPersonalData` returns them. */
export function redactPersonalData(text: string, findings: readonly PersonalDataFinding[], style: 'label' | 'mask' = 'label'): string {
  let redacted = '';
  let from = 0;
  for (const finding of findings) {
    redacted += text.slice(from, finding.start) + (style === 'mask' ? finding.masked : `[${finding.kind}]`);
    from = finding.end;
  }
  return redacted + text.slice(from);
}

const EMAIL_DOMAIN = /[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?){1,8}/uy;
const EMAIL_LOCAL = /[\p{L}\p{N}._%+'!#$&*/=?^`{|}~-]/u;

/** Outwards from each `@`: a pattern that begins with the local part would read every long word 64 times. */
function findEmails(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < 64 && EMAIL_LOCAL.test(text.charAt(start - 1))) start -= 1;
    while (start < at && !/[\p{L}\p{N}_]/u.test(text.charAt(start))) start += 1;
    if (start === at || text.charAt(at - 1) === '.') continue;
    EMAIL_DOMAIN.lastIndex = at + 1;
    const domain = EMAIL_DOMAIN.exec(text)?.[0];
    if (domain === undefined || !/\.(?:xn--[a-z0-9-]{1,59}|\p{L}{2,63})$/iu.test(domain)) continue;
    found.push({ kind: 'email', country: null, start, end: at + 1 + domain.length, certain: true });
  }
  return found;
}

function mask(kind: PersonalDataKind, text: string): string {
  if (kind === 'email') {
    const at = text.lastIndexOf('@');
    return `${text.slice(0, 1)}***${text.slice(at)}`;
  }
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
  let hide = letters - (letters >= 12 ? 4 : 2);
  return text.replaceAll(/[\p{L}\p{N}]/gu, (character) => {
    hide -= 1;
    return hide >= 0 ? '*' : character;
  });
}
