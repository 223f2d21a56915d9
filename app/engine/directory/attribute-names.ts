export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Attributes of RFC 7643 that are taken and forgotten: a filter finds them empty, a change of them changes nothing. */
const FORGOTTEN = new Set(
  ['nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone', 'phonenumbers', 'ims', 'photos'].concat(
    ['addresses', 'entitlements', 'roles', 'x509certificates', 'password', 'name.middlename', 'name.honorificprefix'],
    ['name.honorificsuffix', 'emails.display'],
  ),
);

/** An attribute's name in lower case, without the name of the schema that we serve in front of it. */
export function plainName(path: string): string {
  const name = path.toLowerCase();
  for (const schema of [USER_SCHEMA, GROUP_SCHEMA]) {
    const prefix = `${schema.toLowerCase()}:`;
    if (name.startsWith(prefix)) return name.slice(prefix.length);
  }
  return name;
}

/** Whether an attribute, by its plain name, is one that is not kept: of the core schema, or of an extension, whose names are URNs. */
export function isForgotten(name: string): boolean {
  return name.startsWith('urn:') || FORGOTTEN.has(name) || FORGOTTEN.has(name.split('.')[0] ?? '');
}
