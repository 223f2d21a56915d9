import type { DirectoryEmail } from '#app/engine/directory/directory-state.ts';
import type { Operation } from '#app/engine/directory/patch-operations.ts';
import { invalidPath, isMeant, type PatchPath, valueAsked } from '#app/engine/directory/patch-path.ts';
import { emailsOf, fieldsOf, onePrimary } from '#app/engine/directory/read-values.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

const PARTS = ['value', 'type', 'primary', 'display'] as const;

/** The addresses of a person after one operation on `emails`, all of them or those that its filter means. */
export function patchEmails(emails: DirectoryEmail[], { filter, part }: PatchPath, operation: Operation): DirectoryEmail[] {
  const known = PARTS.find((one) => one === part);
  if (part !== null && known === undefined) throw invalidPath(operation.path);
  if (known === 'display') return emails;
  if (filter === null && known === undefined) return patchWhole(emails, operation);
  const meant = emails.map((email) => filter === null || isMeant(filter, email));
  if (operation.op === 'remove') return removeFrom(emails, meant, known);
  const written = partsOf(operation, known);
  if (meant.includes(true)) return settled(emails.flatMap((email, index) => (meant[index] === true ? withParts(email, written) : email)));
  // Entra replaces what is not there yet
  const type = filter === null ? null : valueAsked(filter, 'type');
  if (filter !== null && type === null) throw new ScimError(400, `${operation.path} means no address.`, 'noTarget');
  return settled([...emails, ...withParts({ value: '', type, primary: false }, written)]);
}

function patchWhole(emails: DirectoryEmail[], { op, value }: Operation): DirectoryEmail[] {
  const given = emailsOf(value);
  const isGiven = (email: DirectoryEmail) => given.some((one) => one.value.toLowerCase() === email.value.toLowerCase());
  if (op === 'replace') return given;
  if (op === 'remove') return value === undefined || value === null ? [] : emails.filter((email) => !isGiven(email));
  return settled([...emails.filter((email) => !isGiven(email)), ...given]);
}

function removeFrom(emails: DirectoryEmail[], meant: boolean[], part: 'value' | 'type' | 'primary' | undefined): DirectoryEmail[] {
  if (part === undefined || part === 'value') return emails.filter((_, index) => meant[index] !== true);
  return emails.map((email, index) => {
    if (meant[index] !== true) return email;
    return part === 'type' ? { ...email, type: null } : { ...email, primary: false };
  });
}

/** The value that an operation writes into an address, as the one object that reading one takes. */
type Written = { value?: unknown; type?: unknown; primary?: unknown };

function partsOf({ value }: Operation, part: 'value' | 'type' | 'primary' | undefined): Written {
  if (part === 'value') return { value };
  if (part === 'type') return { type: value };
  if (part === 'primary') return { primary: value };
  const fields = fieldsOf(value);
  if (fields === null) throw new ScimError(400, 'An e-mail address is an object.', 'invalidValue');
  return Object.fromEntries(
    (['value', 'type', 'primary'] as const).flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])),
  );
}

/** None where the address has lost its value. */
const withParts = (email: DirectoryEmail, written: Written): DirectoryEmail[] => emailsOf({ ...email, ...written });

/** The newest primary one is the primary one. */
const settled = (emails: DirectoryEmail[]) => onePrimary(emails);
