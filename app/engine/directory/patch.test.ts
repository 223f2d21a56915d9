import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupState, PersonState } from '#app/engine/directory/directory-state.ts';
import { parseFilter } from '#app/engine/directory/parse-filter.ts';
import { patchGroup } from '#app/engine/directory/patch-group.ts';
import { patchPerson } from '#app/engine/directory/patch-person.ts';
import { readGroup, readPerson } from '#app/engine/directory/read-resource.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

const ID = '0193a3a0-0000-7000-8000-000000000001';
const OTHER = '0193a3a0-0000-7000-8000-000000000002';
const ADA: PersonState = {
  userName: 'ada@corp.example',
  externalId: 'x-1',
  displayName: 'Ada',
  givenName: 'Ada',
  familyName: 'Lovelace',
  formattedName: 'Ada Lovelace',
  emails: [{ value: 'ada@corp.example', type: 'work', primary: true }],
  active: true,
};
const GROUP: GroupState = { displayName: 'G', externalId: null, members: [ID] };
const FIELDS = Object.keys(ADA).sort();

const person = (...Operations: unknown[]) => patchPerson(ADA, ID, { Operations });
const group = (...Operations: unknown[]) => patchGroup(GROUP, ID, { Operations });
const refused = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'done';
};

describe('a patch of a person', () => {
  test.each([
    ['a capital in op, a truth as a text', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['without a path', { op: 'replace', value: { active: false, displayName: 'A' } }, { active: false, displayName: 'A' }],
    [
      'dots without a path',
      { op: 'Add', value: { 'name.givenName': 'B', 'emails[type eq "work"].value': 'b@corp.example' } },
      {
        givenName: 'B',
        emails: [{ value: 'b@corp.example', type: 'work', primary: true }],
      },
    ],
    [
      'names in any case, with the name of their schema',
      {
        op: 'replace',
        path: 'URN:ietf:params:scim:schemas:core:2.0:User:DISPLAYNAME',
        value: 'B',
      },
      { displayName: 'B' },
    ],
    ['a whole name', { op: 'replace', path: 'name', value: { familyName: 'King', middleName: 'A' } }, { familyName: 'King' }],
    ['a removed name', { op: 'remove', path: 'name.formatted' }, { formattedName: null }],
    [
      'an address that is not there yet',
      { op: 'Replace', path: 'emails[type eq "home"].value', value: 'a@home.example' },
      {
        emails: [...ADA.emails, { value: 'a@home.example', type: 'home', primary: false }],
      },
    ],
    [
      'an address more, which is the primary one',
      { op: 'add', path: 'emails', value: [{ value: 'b@corp.example', primary: true }] },
      {
        emails: [
          { ...ADA.emails[0], primary: false },
          { value: 'b@corp.example', type: null, primary: true },
        ],
      },
    ],
    ['a removed address', { op: 'remove', path: 'emails[value eq "ADA@corp.example"]' }, { emails: [] }],
    ['what is not kept', { op: 'replace', path: 'addresses[type eq "work"].formatted', value: 'x' }, {}],
    ['an extension', { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'x' }, {}],
    ['the id that there is', { op: 'replace', value: { id: ID } }, {}],
  ])('takes %s', (_, operation, changed) => {
    expect(person(operation)).toEqual({ ...ADA, ...changed });
  });

  test.each([
    ['mutability', { op: 'replace', path: 'id', value: OTHER }],
    ['mutability', { op: 'replace', value: { id: OTHER } }],
    ['mutability', { op: 'replace', path: 'meta.created', value: '2020-01-01T00:00:00Z' }],
    ['mutability', { op: 'add', path: 'groups', value: [{ value: OTHER }] }],
    ['invalidPath', { op: 'replace', path: '__proto__.x', value: 'x' }],
    ['invalidPath', { op: 'replace', value: { '__proto__.x': 'x' } }],
    ['invalidPath', { op: 'replace', path: 'constructor.prototype.x', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'constructor', value: { prototype: { x: 1 } } }],
    ['invalidPath', { op: 'add', path: 'name.__proto__', value: { x: 1 } }],
    ['invalidPath', { op: 'add', path: 'name.constructor', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'emails[type eq "work"].__proto__', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'hasOwnProperty', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'userId', value: OTHER }],
    ['invalidPath', { op: 'replace', path: 'userName[type eq "a"]', value: 'x' }],
    ['invalidValue', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', { op: 'replace', path: 'emails', value: 'no address' }],
    ['invalidValue', { op: 'replace', path: 'displayName', value: 'a\0b' }],
    ['invalidValue', { op: 'replace', path: 'displayName', value: 'a'.repeat(255) }],
    ['noTarget', { op: 'remove' }],
    ['noTarget', { op: 'replace', path: 'emails[value eq "nobody@corp.example"].type', value: 'x' }],
    ['invalidFilter', { op: 'remove', path: 'emails[secret eq "x"]' }],
    ['invalidSyntax', { op: 'move', path: 'userName', value: 'x' }],
  ])('is refused (%s): %j', (scimType, operation) => {
    expect(refused(() => person(operation))).toBe(scimType);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test('is done whole or not at all', () => {
    const before = structuredClone(ADA);
    expect(refused(() => person({ op: 'replace', path: 'displayName', value: 'B' }, { op: 'replace', path: 'id', value: 'x' }))).toBe(
      'mutability',
    );
    expect(ADA).toEqual(before);
    for (const body of [null, [], 'x', {}, { Operations: 'x' }, { Operations: [] }, JSON.parse('{"__proto__":{"Operations":[]}}')])
      expect(refused(() => patchPerson(ADA, ID, body))).toBe('invalidSyntax');
    expect(refused(() => person(...Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'displayName', value: 'x' }))))).toBe('tooMany');
  });
});

describe('a patch of a group', () => {
  test('adds and removes by lists, and removes by the value of one', () => {
    expect(group({ op: 'Add', path: 'members', value: [{ value: OTHER }, { value: ID }] }).members).toEqual([ID, OTHER]);
    expect(group({ op: 'Remove', path: 'members', value: [{ value: ID }] }).members).toEqual([]);
    expect(group({ op: 'remove', path: `members[value eq "${ID.toUpperCase()}"]` }).members).toEqual([]);
    expect(group({ op: 'replace', value: { id: ID, displayName: 'H', members: [] } })).toEqual({ ...GROUP, displayName: 'H', members: [] });
  });

  test.each([
    ['invalidPath', { op: 'add', path: `members[value eq "${ID}"]`, value: 'x' }],
    ['invalidPath', { op: 'remove', path: 'members[display co "x"]' }],
    ['invalidPath', { op: 'replace', path: 'members.value', value: ID }],
    ['invalidPath', { op: 'replace', path: '__proto__', value: {} }],
    ['mutability', { op: 'replace', path: 'id', value: OTHER }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ value: 'x' }] }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ value: ID, type: 'Group' }] }],
    ['invalidValue', { op: 'remove', path: 'displayName' }],
  ])('is refused (%s): %j', (scimType, operation) => {
    expect(refused(() => group(operation))).toBe(scimType);
  });
});

const path = fc.oneof(
  fc.constantFrom(
    ...[
      'userName',
      'active',
      'name',
      'name.givenName',
      'emails',
      'emails[type eq "work"].value',
      'emails.primary',
      'members',
      'id',
      'meta',
    ],
    ...['groups', '__proto__', 'constructor.prototype', 'displayName', 'title', 'user_id', 'workspace_id', 'revision', 'toString'],
  ),
  fc.string({ maxLength: 30 }),
);
const operation = fc.record(
  { op: fc.constantFrom('add', 'Replace', 'remove'), path, value: fc.oneof(fc.jsonValue(), fc.dictionary(path, fc.jsonValue())) },
  { requiredKeys: ['op'] },
);

test('no patch whatsoever changes anything outside the fixed attributes, or an object of the process', () => {
  const standing = new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]);
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), fc.boolean(), (Operations, isGroup) => {
      const work = () => (isGroup ? patchGroup(GROUP, ID, { Operations }) : patchPerson(ADA, ID, { Operations }));
      let after: PersonState | GroupState;
      try {
        after = work();
      } catch (error) {
        expect(error).toBeInstanceOf(ScimError);
        return;
      }
      expect(Object.keys(after).sort()).toEqual(isGroup ? Object.keys(GROUP).sort() : FIELDS);
      expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
      for (const name of [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)])
        expect(standing.has(name), name).toBe(true);
    }),
    { numRuns: process.env.QUORATE_TEST_FULL === '1' ? 20_000 : 300 },
  );
});

test('a resource keeps what it is known by, whatever else its body holds', () => {
  const body = JSON.parse(
    '{"userName":"a","__proto__":{"active":false},"constructor":{"prototype":{"y":1}},"id":"x","meta":{},"name":"x"}',
  );
  expect(readPerson(body)).toEqual({
    ...{ userName: 'a', externalId: null, displayName: null, givenName: null, familyName: null, formattedName: null, emails: [] },
    active: true,
  });
  expect(Reflect.get({}, 'y')).toBeUndefined();
  for (const wrong of [null, [], 'x', 1]) expect(refused(() => readPerson(wrong))).toBe('invalidSyntax');
  expect(refused(() => readPerson({}))).toBe('invalidValue');
  expect(refused(() => readGroup({ members: [] }))).toBe('invalidValue');
});

describe('a filter', () => {
  test.each([
    ['too long', `userName eq "${'a'.repeat(1_024)}"`],
    ['20,000 brackets', `${'('.repeat(20_000)}a pr${')'.repeat(20_000)}`],
    ['20,000 terms', Array(20_000).fill('a pr').join(' or ')],
    ['brackets within the length', `${'('.repeat(400)}userName pr${')'.repeat(400)}`],
    ['nots within the length', `${'not '.repeat(200)}(userName pr)`],
    ['terms within the length', Array(60).fill('active pr').join(' or ')],
    ['half of one', 'userName eq'],
    ['no quotes', 'userName eq bjensen'],
    ['an unknown operator', 'userName like "a"'],
    ['an open bracket', '(userName pr'],
    ['a byte that no text has', 'userName eq "a\0"'],
  ])('is refused at once where it has %s', (_, text) => {
    const began = performance.now();
    expect(refused(() => parseFilter(text))).toBe('invalidFilter');
    expect(performance.now() - began).toBeLessThan(100);
  });

  test('has its words in any case, and leaves texts in quotes as they are', () => {
    expect(parseFilter('active eq True')).toEqual({ op: 'eq', attrPath: 'active', compValue: true });
    expect(parseFilter('userName Eq "True (or False)"')).toEqual({ op: 'eq', attrPath: 'userName', compValue: 'True (or False)' });
  });
});
