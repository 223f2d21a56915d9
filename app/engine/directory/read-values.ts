import { type DirectoryEmail, isAddress } from '#app/engine/directory/directory-state.ts';
import { invalidValue } from '#app/engine/directory/scim-error.ts';

/** As the columns have it. */
const MAX_LENGTH = 254;
const MAX_EMAILS = 20;
/** Of one group in one call; what is above it comes in several calls. */
const MAX_MEMBERS = 20_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type Fields = ReadonlyMap<string, unknown>;

/**
 * The members of a JSON object by their names in lower case, as SCIM compares them (RFC 7643, section 2.1). A map, so that no name in a
 * body can be that of something every object has. Null: the value is no object.
 */
export function fieldsOf(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]));
}

/** A text, or null for none; numbers become texts, as some providers send them. @throws ScimError for anything else */
export function textOf(value: unknown, name: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw invalidValue(`${name} is a text.`);
  const text = value.trim();
  if (text.length > MAX_LENGTH) throw invalidValue(`${name} has at most ${MAX_LENGTH} characters.`);
  if (text.includes('\0') || !text.isWellFormed()) throw invalidValue(`${name} holds characters that no text has.`);
  return text === '' ? null : text;
}

export function requiredText(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text === null) throw invalidValue(`${name} is required.`);
  return text;
}

/** A truth value; Entra sends it as the text "False". */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalidValue(`${name} is true or false.`);
}

/** One address: a text, or an object with `value`, `type` and `primary`. Null: it has no value. */
function emailOf(value: unknown): DirectoryEmail | null {
  const fields = fieldsOf(value);
  const address = textOf(fields === null ? value : fields.get('value'), 'emails.value');
  if (address === null) return null;
  if (!isAddress(address)) throw invalidValue(`${address} is no e-mail address.`);
  const primary = fields?.get('primary');
  return {
    value: address,
    type: textOf(fields?.get('type'), 'emails.type'),
    primary: primary === undefined || primary === null ? false : booleanOf(primary, 'emails.primary'),
  };
}

/** Addresses, of which one at most is primary: the last that says so. */
export function emailsOf(value: unknown): DirectoryEmail[] {
  if (value === null || value === undefined) return [];
  const emails = [value].flat().flatMap((one) => emailOf(one) ?? []);
  return onePrimary(emails);
}

export function onePrimary(emails: DirectoryEmail[]): DirectoryEmail[] {
  if (emails.length > MAX_EMAILS) throw invalidValue(`A person has at most ${MAX_EMAILS} e-mail addresses.`);
  const primary = emails.findLastIndex((email) => email.primary);
  return emails.map((email, index) => ({ ...email, primary: index === primary }));
}

/** Ids of people from `[{ value }]`. An id that is none finds nobody, and a group in a group is not taken. */
export function membersOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const given = [value].flat();
  if (given.length > MAX_MEMBERS) throw invalidValue(`A call names at most ${MAX_MEMBERS} members.`);
  const ids = given.map((one) => {
    const fields = fieldsOf(one);
    if (fields !== null && textOf(fields.get('type'), 'members.type')?.toLowerCase() === 'group')
      throw invalidValue('Groups have people as members, not groups.');
    const id = requiredText(fields === null ? one : fields.get('value'), 'members.value').toLowerCase();
    if (!UUID.test(id)) throw invalidValue(`There is no user ${id}.`);
    return id;
  });
  return [...new Set(ids)].sort();
}

export const isId = (text: string): boolean => UUID.test(text);
