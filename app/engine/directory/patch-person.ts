import { isForgotten } from '#app/engine/directory/attribute-names.ts';
import type { PersonState } from '#app/engine/directory/directory-state.ts';
import { patchEmails } from '#app/engine/directory/patch-emails.ts';
import { type Operation, readOperations } from '#app/engine/directory/patch-operations.ts';
import { invalidPath, type PatchPath, parsePath } from '#app/engine/directory/patch-path.ts';
import { booleanOf, fieldsOf, requiredText, textOf } from '#app/engine/directory/read-values.ts';
import { invalidValue, ScimError } from '#app/engine/directory/scim-error.ts';

const NAME_PARTS = { givenname: 'givenName', familyname: 'familyName', formatted: 'formattedName' } as const;
const isNamePart = (part: string): part is keyof typeof NAME_PARTS => Object.hasOwn(NAME_PARTS, part);

/**
 * A person after a PATCH. Over the fixed attributes alone, each named in this file: no name that a caller sends is ever looked up in an
 * object. All operations or none: the first that is wrong is thrown.
 */
export function patchPerson(before: PersonState, id: string, body: unknown): PersonState {
  return readOperations(body).reduce((state, operation) => patched(state, id, operation), before);
}

function patched(state: PersonState, id: string, operation: Operation): PersonState {
  const path = parsePath(operation.path);
  const isRemoved = operation.op === 'remove';
  const text = (name: string) => (isRemoved ? null : textOf(operation.value, name));
  if (path.name !== 'emails' && path.filter !== null && !isForgotten(path.name)) throw invalidPath(operation.path);
  if (path.name === 'name') return patchedName(state, path, operation);
  if (path.name === 'emails') return { ...state, emails: patchEmails(state.emails, path, operation) };
  if (path.part !== null && !isForgotten(path.name) && path.name !== 'meta' && path.name !== 'groups') throw invalidPath(operation.path);
  switch (path.name) {
    case 'username':
      if (isRemoved) throw invalidValue('userName is required.');
      return { ...state, userName: requiredText(operation.value, 'userName') };
    case 'active':
      if (isRemoved) throw invalidValue('active is true or false.');
      return { ...state, active: booleanOf(operation.value, 'active') };
    case 'externalid':
      return { ...state, externalId: text('externalId') };
    case 'displayname':
      return { ...state, displayName: text('displayName') };
    default:
      leaveReadOnly(path, id, operation);
      return state;
  }
}

function patchedName(state: PersonState, { part }: PatchPath, { op, path, value }: Operation): PersonState {
  if (part === null) {
    if (op === 'remove') return { ...state, givenName: null, familyName: null, formattedName: null };
    const fields = fieldsOf(value);
    if (fields === null) throw invalidValue('name is an object.');
    const parts = [...fields].map(([name, one]): Operation => ({ op, path: `name.${name}`, value: one }));
    return parts.reduce((before, one) => patchedName(before, parsePath(one.path), one), state);
  }
  if (isNamePart(part)) return { ...state, [NAME_PARTS[part]]: op === 'remove' ? null : textOf(value, path) };
  if (!isForgotten(`name.${part}`)) throw invalidPath(path);
  return state;
}

/** An attribute that is not ours to change: nothing, where it is not kept or says what is so; otherwise a refusal. */
export function leaveReadOnly({ name }: PatchPath, id: string, { path, value }: Operation): void {
  if (name === 'schemas' || isForgotten(name)) return;
  if (name === 'id' && typeof value === 'string' && value.toLowerCase() === id) return;
  if (name === 'id' || name === 'meta' || name === 'groups') throw new ScimError(400, `${path} cannot be changed.`, 'mutability');
  throw invalidPath(path);
}
