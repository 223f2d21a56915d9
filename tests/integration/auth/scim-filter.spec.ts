/** RFC 7644, section 3.4.2: its table of filters, the operators on each kind of attribute, sorting and paging, over the real database. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PersonState } from '#app/engine/directory/directory-state.ts';
import { createDirectoryToken } from '#app/engine/directory/directory-token.ts';
import { personValues } from '#app/engine/directory/person-values.ts';
import { listGroups, listPeople } from '#app/engine/directory/read-directory.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let workspaceId: string;
let hash: Uint8Array;
const ids: Record<string, string> = { barbara: newId(), john: newId(), mia: newId() };
const group = newId();

const someone = (state: Partial<PersonState> & { userName: string }): PersonState => ({
  ...{ externalId: null, displayName: null, givenName: null, familyName: null, formattedName: null, emails: [], active: true },
  ...state,
});
const PEOPLE: Record<string, PersonState> = {
  barbara: someone({
    userName: 'bjensen@example.com',
    externalId: 'bJ-1',
    displayName: 'Babs Jensen',
    givenName: 'Barbara',
    familyName: 'Jensen',
    emails: [
      { value: 'bjensen@example.com', type: 'work', primary: true },
      { value: 'babs@jensen.org', type: 'home', primary: false },
    ],
  }),
  john: someone({ userName: 'John', familyName: "O'Malley", emails: [{ value: 'john@example.org', type: 'home', primary: true }] }),
  mia: someone({ userName: 'mia', active: false, displayName: '100% \\ _mia' }),
};

beforeAll(async () => {
  db = await createTestDatabase();
  const made = await db.makeWorkspace({ members: [{ roles: ['admin'] }] });
  workspaceId = made.id;
  const token = createDirectoryToken();
  hash = token.hash;
  await db.arrange(workspaceId, async (client) => {
    await client.query(
      `insert into quorate.directory_tokens (id, workspace_id, name, prefix, token_hash, created_by, expires_at)
       values ($1, $2, 'D', $3, $4, $5, now() + interval '1 day')`,
      [newId(), workspaceId, token.prefix, hash, made.members[0]?.id],
    );
    for (const [name, state] of Object.entries(PEOPLE)) {
      const row = {
        id: ids[name],
        workspace_id: workspaceId,
        ...personValues(state),
        created_at: `2011-05-1${Object.keys(PEOPLE).indexOf(name) + 3}T04:42:34.125Z`,
      };
      const columns = Object.keys(row);
      await client.query(
        `insert into quorate.directory_people (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      );
    }
    await client.query(`update quorate.directory_people set changed_at = created_at`);
    await client.query(`insert into quorate.directory_groups (id, workspace_id, display_name) values ($1, $2, 'Tour Guides')`, [
      group,
      workspaceId,
    ]);
    await client.query('insert into quorate.directory_group_people (workspace_id, group_id, person_id) values ($1, $2, $3)', [
      workspaceId,
      group,
      ids.john,
    ]);
  });
});
afterAll(() => db.close());

const listed = async (params: Record<string, string>) =>
  db.database.asDirectory(hash, (tx) => listPeople(tx, { params: new URLSearchParams(params), workspaceId, withOthers: true }));
const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0];
const found = async (filter: string) => (await listed({ filter })).items.map(({ id }) => nameOf(id));

const [BARBARA, JOHN, MIA] = ['barbara', 'john', 'mia'];
const ALL = [BARBARA, JOHN, MIA];
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

describe('the table of RFC 7644', () => {
  test.each([
    ['userName Eq "john"', [JOHN]],
    [`name.familyName co "O'Malley"`, [JOHN]],
    ['userName sw "J"', [JOHN]],
    [`${USER}:userName sw "J"`, [JOHN]],
    ['title pr', []],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', ALL],
    ['meta.lastModified ge "2011-05-14T04:42:34Z"', [JOHN, MIA]],
    ['meta.lastModified lt "2011-05-14T04:42:34Z"', [BARBARA]],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', []],
    ['title pr and userType eq "Employee"', []],
    ['title pr or userType eq "Intern"', []],
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', []],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', []],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', [MIA]],
    ['userType eq "Employee" and (emails.type eq "work")', []],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', []],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', [BARBARA]],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });
});

describe('every operator', () => {
  test.each([
    ['userName eq "JOHN"', [JOHN]],
    ['externalId eq "bJ-1"', [BARBARA]],
    ['externalId eq "bj-1"', []],
    ['externalId eq null', [JOHN, MIA]],
    ['externalId ne null', [BARBARA]],
    ['externalId pr', [BARBARA]],
    ['not (externalId pr)', [JOHN, MIA]],
    ['displayName ne "babs jensen"', [JOHN, MIA]],
    ['displayName co "%"', [MIA]],
    ['displayName co "_mia"', [MIA]],
    ['displayName ew "JENSEN"', [BARBARA]],
    ['userName gt "john"', [MIA]],
    ['userName le "john"', [BARBARA, JOHN]],
    ['active eq true', [BARBARA, JOHN]],
    ['active eq False', [MIA]],
    ['active eq "False"', [MIA]],
    ['active ne True', [MIA]],
    [`id eq "${'0'.repeat(8)}"`, []],
    ['id ne "x"', ALL],
    ['emails pr', [BARBARA, JOHN]],
    ['emails.type eq "home"', [BARBARA, JOHN]],
    ['emails[type eq "home"].value co "org"', [BARBARA, JOHN]],
    ['emails[primary eq true and type eq "home"]', [JOHN]],
    ['emails[not (primary eq true)]', [BARBARA]],
    ['groups pr', [JOHN]],
    ['meta.created eq "2011-05-13T04:42:34.125Z"', [BARBARA]],
    ['name.honorificPrefix eq null and userName sw "b"', [BARBARA]],
    [`schemas eq "${USER}"`, ALL],
    [`userName eq "x' or '1'='1"`, []],
    ['userName eq "\\"; drop schema quorate cascade; --"', []],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each([
    'nonsense eq "x"',
    '__proto__ pr',
    'constructor eq "x"',
    'workspace_id pr',
    'userName[type eq "x"]',
    'emails[secret eq "x"]',
    'active gt true',
    'active co "t"',
    'id co "a"',
    'meta.created co "2011"',
    'meta.created gt "yesterday"',
    'schemas co "x"',
    'userName gt null',
  ])('%s is refused', async (filter) => {
    const error = await found(filter).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScimError);
    expect((error as ScimError).scimType).toBe('invalidFilter');
  });
});

test('a list is sorted and paged as asked, with the number of all', async () => {
  const names = async (params: Record<string, string>) => (await listed(params)).items.map(({ id }) => nameOf(id));
  expect(await names({ sortBy: 'userName', sortOrder: 'descending' })).toEqual([MIA, JOHN, BARBARA]);
  expect(await names({ sortBy: 'name.familyName' })).toEqual([BARBARA, JOHN, MIA]);
  expect(await names({ startIndex: '2', count: '1' })).toEqual([JOHN]);
  expect(await names({ startIndex: '-5', count: '1' })).toEqual([BARBARA]);
  expect(await listed({ count: '0' })).toEqual({ total: 3, startIndex: 1, items: [] });
  expect(await listed({ count: '-1' })).toMatchObject({ total: 3, items: [] });
  expect(await listed({ startIndex: '4' })).toMatchObject({ total: 3, items: [] });
  await expect(listed({ count: 'x' })).rejects.toThrow(ScimError);
  await expect(listed({ sortBy: 'emails' })).rejects.toThrow(ScimError);
});

test('groups are found by their name and their people', async () => {
  const groups = (filter: string) =>
    db.database.asDirectory(hash, async (tx) => {
      const page = await listGroups(tx, { params: new URLSearchParams({ filter }), workspaceId, withOthers: false });
      return page.items.map(({ displayName }) => displayName);
    });
  expect(await groups('displayName eq "tour guides"')).toEqual(['Tour Guides']);
  expect(await groups(`members.value eq "${ids.john}"`)).toEqual(['Tour Guides']);
  expect(await groups(`members[value eq "${ids.mia}"]`)).toEqual([]);
});
