import { isForgotten } from '#app/engine/directory/attribute-names.ts';
import type { GroupState } from '#app/engine/directory/directory-state.ts';
import { type Operation, readOperations } from '#app/engine/directory/patch-operations.ts';
import { invalidPath, type PatchPath, parsePath, valueAsked } from '#app/engine/directory/patch-path.ts';
import { leaveReadOnly } from '#app/engine/directory/patch-person.ts';
import { membersOf, requiredText, textOf } from '#app/engine/directory/read-values.ts';
import { invalidValue } from '#app/engine/directory/scim-error.ts';

/** A group after a PATCH, as `patchPerson`. */
export function patchGroup(before: GroupState, id: string, body: unknown): GroupState {
  return readOperations(body).reduce((state, operation) => patched(state, id, operation), before);
}

function patched(state: GroupState, id: string, operation: Operation): GroupState {
  const path = parsePath(operation.path);
  const isRemoved = operation.op === 'remove';
  if (path.name === 'members') return { ...state, members: patchedMembers(state.members, path, operation) };
  if ((path.filter !== null || path.part !== null) && path.name !== 'meta' && !isForgotten(path.name)) throw invalidPath(operation.path);
  switch (path.name) {
    case 'displayname':
      if (isRemoved) throw invalidValue('displayName is required.');
      return { ...state, displayName: requiredText(operation.value, 'displayName') };
    case 'externalid':
      return { ...state, externalId: isRemoved ? null : textOf(operation.value, 'externalId') };
    default:
      leaveReadOnly(path, id, operation);
      return state;
  }
}

/** Entra removes by a list of values, Okta by `members[value eq "…"]`. */
function patchedMembers(members: string[], { filter, part }: PatchPath, { op, path, value }: Operation): string[] {
  if (part !== null) throw invalidPath(path);
  if (filter !== null) {
    const id = valueAsked(filter, 'value');
    if (op !== 'remove' || id === null) throw invalidPath(path);
    return members.filter((member) => member !== id.toLowerCase());
  }
  if (op === 'remove' && (value === undefined || value === null)) return [];
  const given = membersOf(value);
  if (op === 'replace') return given;
  const named = new Set(given);
  if (op === 'remove') return members.filter((member) => !named.has(member));
  return [...new Set([...members, ...given])].sort();
}
