import type { Filter } from 'scim2-parse-filter';
import { plainName } from '#app/engine/directory/attribute-names.ts';
import type { DirectoryEmail } from '#app/engine/directory/directory-state.ts';
import { parseFilter } from '#app/engine/directory/parse-filter.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

/** A place that an operation of PATCH names: attribute and part in lower case, and which of its elements. */
export type PatchPath = { name: string; part: string | null; filter: Filter | null };

const PATH = /^(?<name>[a-z][\w$-]*)(?:\[(?<filter>.+)\])?(?:\.(?<part>[a-z][\w$-]*))?$/i;
const MAX_LENGTH = 1_024;

/** Reads a path (RFC 7644, section 3.5.2). An attribute of an extension, whose name is a URN, is one name. @throws ScimError invalidPath */
export function parsePath(text: string): PatchPath {
  if (text.length > MAX_LENGTH) throw invalidPath(`${text.slice(0, 40)}…`);
  const plain = plainName(text);
  if (plain.startsWith('urn:')) return { name: plain, part: null, filter: null };
  // the names of attributes are compared without case, the values of a filter are not ours to change
  const rest = text.slice(text.length - plain.length);
  const { name, part, filter } = PATH.exec(rest)?.groups ?? {};
  if (name === undefined) throw invalidPath(text);
  return { name: name.toLowerCase(), part: part?.toLowerCase() ?? null, filter: filter === undefined ? null : parseFilter(filter) };
}

export const invalidPath = (text: string) => new ScimError(400, `There is no attribute ${text}.`, 'invalidPath');

/** The one value that `name eq "value"` asks for; null for every other filter. */
export function valueAsked(filter: Filter, name: string): string | null {
  if (filter.op !== 'eq' || filter.attrPath.toLowerCase() !== name || typeof filter.compValue !== 'string') return null;
  return filter.compValue;
}

/** Whether an address is one of those that the filter behind `emails` means. */
export function isMeant(filter: Filter, email: DirectoryEmail): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => isMeant(one, email));
    case 'or':
      return filter.filters.some((one) => isMeant(one, email));
    case 'not':
      return !isMeant(filter.filter, email);
    case '[]':
      throw new ScimError(400, 'An element of emails has no elements.', 'invalidFilter');
    default:
      return isMeantBy(filter, email);
  }
}

function isMeantBy(test: Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>, email: DirectoryEmail): boolean {
  const kept = partOf(email, test.attrPath.toLowerCase());
  if (test.op === 'pr') return kept !== null;
  const wanted = test.compValue === null ? null : String(test.compValue).toLowerCase();
  if (test.op === 'eq') return kept === wanted;
  if (test.op === 'ne') return kept !== wanted;
  if (kept === null || wanted === null) return false;
  if (test.op === 'co') return kept.includes(wanted);
  if (test.op === 'sw') return kept.startsWith(wanted);
  if (test.op === 'ew') return kept.endsWith(wanted);
  throw new ScimError(400, 'The parts of an e-mail address have no order.', 'invalidFilter');
}

function partOf(email: DirectoryEmail, part: string): string | null {
  if (part === 'value') return email.value.toLowerCase();
  if (part === 'type') return email.type?.toLowerCase() ?? null;
  if (part === 'primary') return String(email.primary);
  if (part === 'display') return null;
  throw new ScimError(400, `An e-mail address has no ${part}.`, 'invalidFilter');
}
