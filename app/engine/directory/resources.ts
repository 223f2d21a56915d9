import { GROUP_SCHEMA, plainName, USER_SCHEMA } from '#app/engine/directory/attribute-names.ts';
import type { GroupState, PersonState } from '#app/engine/directory/directory-state.ts';

/** Beside its state, every resource has these. */
type Facts = { id: string; revision: number; createdAt: Date; changedAt: Date };
export type KeptPerson = PersonState & Facts & { groups: readonly { id: string; name: string }[] };
/** `people`: their names by their ids. */
export type KeptGroup = GroupState & Facts & { people: readonly { id: string; name: string }[] };
export type Resource = { [name: string]: unknown };

export const etagOf = (revision: number) => `W/"${revision}"`;

/** A person as SCIM has it (RFC 7643, section 4.1). `base`: the address of the workspace's SCIM. */
export function userResource(person: KeptPerson, base: string): Resource {
  const name = { givenName: person.givenName, familyName: person.familyName, formatted: person.formattedName };
  return {
    schemas: [USER_SCHEMA],
    id: person.id,
    ...given({ externalId: person.externalId }),
    userName: person.userName,
    ...(Object.values(name).some((part) => part !== null) && { name: given(name) }),
    ...given({ displayName: person.displayName }),
    ...(person.emails.length > 0 && {
      emails: person.emails.map(({ value, type, primary }) => ({ value, ...given({ type }), primary })),
    }),
    active: person.active,
    ...(person.groups.length > 0 && {
      groups: person.groups.map(({ id, name: display }) => ({ value: id, $ref: `${base}/Groups/${id}`, display, type: 'direct' })),
    }),
    meta: metaOf(person, 'User', `${base}/Users/${person.id}`),
  };
}

export function groupResource(group: KeptGroup, base: string): Resource {
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...given({ externalId: group.externalId }),
    displayName: group.displayName,
    members: group.people.map(({ id, name: display }) => ({ value: id, $ref: `${base}/Users/${id}`, type: 'User', display })),
    meta: metaOf(group, 'Group', `${base}/Groups/${group.id}`),
  };
}

const metaOf = ({ revision, createdAt, changedAt }: Facts, resourceType: string, location: string) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: changedAt.toISOString(),
  location,
  version: etagOf(revision),
});

/** Without what has no value. */
const given = <T extends Record<string, unknown>>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null)) as Partial<T>;

/** `attributes` and `excludedAttributes` of a request, as plain names; null: all. */
export type Wanted = { only: ReadonlySet<string> | null; without: ReadonlySet<string> };

export function wantedOf(params: URLSearchParams): Wanted {
  const named = (param: string) =>
    (params.get(param) ?? '')
      .split(',')
      .map((name) => plainName(name.trim()))
      .filter((name) => name !== '');
  const only = named('attributes');
  return { only: only.length === 0 ? null : new Set(only), without: new Set(named('excludedAttributes')) };
}

/** Whether a part that has to be read for itself is asked for. */
export const wants = ({ only, without }: Wanted, name: string): boolean =>
  !without.has(name) && (only === null || [...only].some((one) => one === name || one.startsWith(`${name}.`)));

/** A resource with what was asked for (RFC 7644, section 3.9); `schemas` and `id` always. */
export function project(resource: Resource, wanted: Wanted): Resource {
  if (wanted.only === null && wanted.without.size === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const plain = name.toLowerCase();
      if (name === 'schemas' || name === 'id') return [[name, value]];
      if (!wants(wanted, plain)) return [];
      return [[name, wanted.only?.has(plain) === false || hasParts(wanted.without, plain) ? partsOf(value, plain, wanted) : value]];
    }),
  );
}

const hasParts = (names: ReadonlySet<string>, plain: string) => [...names].some((one) => one.startsWith(`${plain}.`));

function partsOf(value: unknown, above: string, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, above, wanted));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => {
      const part = `${above}.${name.toLowerCase()}`;
      return !wanted.without.has(part) && (wanted.only === null || wanted.only.has(above) || wanted.only.has(part));
    }),
  );
}
