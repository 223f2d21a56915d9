import { GROUP_SCHEMA, USER_SCHEMA } from '#app/engine/directory/attribute-names.ts';
import type { Resource } from '#app/engine/directory/resources.ts';

const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

export const MAX_RESULTS = 200;

/** The things that this provider does (RFC 7643, section 5). */
export const serviceProviderConfig = (base: string): Resource => ({
  schemas: [CONFIG_SCHEMA],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator of the workspace has made for provisioning.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string): Resource[] =>
  [
    { id: 'User', endpoint: '/Users', schema: USER_SCHEMA, description: 'A person' },
    { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA, description: 'A group of people' },
  ].map((type) => ({
    schemas: [TYPE_SCHEMA],
    ...type,
    name: type.id,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }));

type Kind = { type?: string; multiValued?: boolean; mutability?: string; required?: boolean; uniqueness?: string; caseExact?: boolean };

const attribute = (name: string, description: string, kind: Kind = {}, subAttributes?: object[]) => ({
  name,
  description,
  type: kind.type ?? 'string',
  multiValued: kind.multiValued ?? false,
  required: kind.required ?? false,
  caseExact: kind.caseExact ?? false,
  mutability: kind.mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: kind.uniqueness ?? 'none',
  ...(subAttributes !== undefined && { subAttributes }),
});

const reference = { type: 'reference', mutability: 'readOnly' };
const readOnly = { mutability: 'readOnly' };

const USER = [
  attribute('userName', 'The name by which the directory knows the person', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The id that the directory gave the person', { caseExact: true }),
  attribute('displayName', 'The name that is shown'),
  attribute('name', 'The parts of the name', { type: 'complex' }, [
    attribute('formatted', 'The whole name'),
    attribute('givenName', 'The given name'),
    attribute('familyName', 'The family name'),
  ]),
  attribute('emails', 'The addresses; an account is known by the primary one', { type: 'complex', multiValued: true }, [
    attribute('value', 'The address'),
    attribute('type', 'What the address is for'),
    attribute('primary', 'Whether it is the one that counts', { type: 'boolean' }),
  ]),
  attribute('active', 'Whether the person may be a member of the workspace', { type: 'boolean' }),
  attribute('groups', 'The groups that the person is in', { ...readOnly, type: 'complex', multiValued: true }, [
    attribute('value', 'The id of the group', readOnly),
    attribute('$ref', 'The address of the group', reference),
    attribute('display', 'The name of the group', readOnly),
    attribute('type', 'Always direct', readOnly),
  ]),
];

const GROUP = [
  attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'The id that the directory gave the group', { caseExact: true }),
  attribute('members', 'The people of the group', { type: 'complex', multiValued: true }, [
    attribute('value', 'The id of the person', { mutability: 'immutable' }),
    attribute('$ref', 'The address of the person', reference),
    attribute('type', 'Always User', readOnly),
    attribute('display', 'The name of the person', readOnly),
  ]),
];

export const schemas = (base: string): Resource[] =>
  [
    { id: USER_SCHEMA, name: 'User', description: 'A person', attributes: USER },
    { id: GROUP_SCHEMA, name: 'Group', description: 'A group of people', attributes: GROUP },
  ].map((schema) => ({
    schemas: [SCHEMA_SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));
