import type { GroupState, PersonState } from '#app/engine/directory/directory-state.ts';
import { booleanOf, emailsOf, fieldsOf, membersOf, requiredText, textOf } from '#app/engine/directory/read-values.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

/**
 * A person from the body of a POST or PUT. What is absent is empty, `active` apart, which is true until somebody says otherwise. `id`,
 * `meta`, `groups` and `schemas` are read-only, and ignored as RFC 7644, section 3.5.1 has it.
 */
export function readPerson(body: unknown): PersonState {
  const fields = fieldsOf(body);
  if (fields === null) throw new ScimError(400, 'The body is a JSON object.', 'invalidSyntax');
  const name = fieldsOf(fields.get('name'));
  const active = fields.get('active');
  return {
    userName: requiredText(fields.get('username'), 'userName'),
    externalId: textOf(fields.get('externalid'), 'externalId'),
    displayName: textOf(fields.get('displayname'), 'displayName'),
    givenName: textOf(name?.get('givenname'), 'name.givenName'),
    familyName: textOf(name?.get('familyname'), 'name.familyName'),
    formattedName: textOf(name?.get('formatted'), 'name.formatted'),
    emails: emailsOf(fields.get('emails')),
    active: active === undefined || active === null ? true : booleanOf(active, 'active'),
  };
}

export function readGroup(body: unknown): GroupState {
  const fields = fieldsOf(body);
  if (fields === null) throw new ScimError(400, 'The body is a JSON object.', 'invalidSyntax');
  return {
    displayName: requiredText(fields.get('displayname'), 'displayName'),
    externalId: textOf(fields.get('externalid'), 'externalId'),
    members: membersOf(fields.get('members')),
  };
}
