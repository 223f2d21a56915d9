import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { GROUP_SCHEMA, plainName, USER_SCHEMA } from '#app/engine/directory/attribute-names.ts';
import type { DirectoryEmail } from '#app/engine/directory/directory-state.ts';
import { MAX_RESULTS } from '#app/engine/directory/discovery.ts';
import { type Attributes, filterSql, GROUP_ATTRIBUTES, PERSON_ATTRIBUTES } from '#app/engine/directory/filter-sql.ts';
import { parseFilter } from '#app/engine/directory/parse-filter.ts';
import { isId } from '#app/engine/directory/read-values.ts';
import type { KeptGroup, KeptPerson } from '#app/engine/directory/resources.ts';
import { invalidValue } from '#app/engine/directory/scim-error.ts';

const DEFAULT_RESULTS = 100;

type PersonRow = {
  id: string;
  user_name: string;
  external_id: string | null;
  display_name: string | null;
  given_name: string | null;
  family_name: string | null;
  formatted_name: string | null;
  emails: DirectoryEmail[];
  active: boolean;
  revision: number;
  created_at: Date;
  changed_at: Date;
  others: { id: string; name: string }[];
};
type GroupRow = Pick<PersonRow, 'id' | 'external_id' | 'revision' | 'created_at' | 'changed_at' | 'others'> & { display_name: string };

/** A page of a list: `startIndex` counts from one. */
export type Page<Item> = { total: number; startIndex: number; items: Item[] };
/** The parameters of a list (RFC 7644, section 3.4.2). */
export type Asked = { params: URLSearchParams; workspaceId: string; withOthers: boolean };

export const listPeople = async (db: Db, asked: Asked): Promise<Page<KeptPerson>> =>
  page(db, asked, PERSON_ATTRIBUTES, USER_SCHEMA, sql`quorate.directory_people r where r.deleted_at is null`, async (tail) =>
    (await selectPeople(tail, asked.withOthers).execute(db)).rows.map(personOf),
  );

export const listGroups = async (db: Db, asked: Asked): Promise<Page<KeptGroup>> =>
  page(db, asked, GROUP_ATTRIBUTES, GROUP_SCHEMA, sql`quorate.directory_groups r where true`, async (tail) =>
    (await selectGroups(tail, asked.withOthers).execute(db)).rows.map(groupOf),
  );

/** Null for an id that is none, is another workspace's, or is of somebody who was removed. `lock`: until the transaction ends. */
export async function findPerson(db: Db, workspaceId: string, id: string, lock = false): Promise<KeptPerson | null> {
  if (!isId(id)) return null;
  const tail = sql`r.workspace_id = ${workspaceId} and r.id = ${id} and r.deleted_at is null ${lock ? sql`for update of r` : sql``}`;
  const [row] = (await selectPeople(tail, true).execute(db)).rows;
  return row === undefined ? null : personOf(row);
}

export async function findGroup(db: Db, workspaceId: string, id: string, lock = false): Promise<KeptGroup | null> {
  if (!isId(id)) return null;
  const tail = sql`r.workspace_id = ${workspaceId} and r.id = ${id} ${lock ? sql`for update of r` : sql``}`;
  const [row] = (await selectGroups(tail, true).execute(db)).rows;
  return row === undefined ? null : groupOf(row);
}

const NONE = sql`'[]'::json`;

function selectPeople(tail: RawBuilder<unknown>, withGroups: boolean) {
  const groups = sql`(select coalesce(json_agg(json_build_object('id', o.id, 'name', o.display_name) order by o.id), '[]')
    from quorate.directory_group_people g join quorate.directory_groups o on o.id = g.group_id
    where g.workspace_id = r.workspace_id and g.person_id = r.id)`;
  return sql<PersonRow>`select r.id, r.user_name, r.external_id, r.display_name, r.given_name, r.family_name, r.formatted_name, r.emails,
    r.active, r.revision, r.created_at, r.changed_at, ${withGroups ? groups : NONE} as others from quorate.directory_people r where ${tail}`;
}

function selectGroups(tail: RawBuilder<unknown>, withPeople: boolean) {
  const people = sql`(select coalesce(json_agg(json_build_object('id', o.id, 'name', coalesce(o.display_name, o.user_name)) order by o.id), '[]')
    from quorate.directory_group_people g join quorate.directory_people o on o.id = g.person_id where g.group_id = r.id)`;
  return sql<GroupRow>`select r.id, r.display_name, r.external_id, r.revision, r.created_at, r.changed_at,
    ${withPeople ? people : NONE} as others from quorate.directory_groups r where ${tail}`;
}

async function page<Item>(
  db: Db,
  { params, workspaceId }: Asked,
  attributes: Attributes,
  schema: string,
  from: RawBuilder<unknown>,
  read: (tail: RawBuilder<unknown>) => Promise<Item[]>,
): Promise<Page<Item>> {
  const filter = params.get('filter')?.trim();
  const meant = sql`r.workspace_id = ${workspaceId} and ${filter ? filterSql(parseFilter(filter), attributes, schema) : sql`true`}`;
  const startIndex = Math.max(1, wholeNumber(params, 'startIndex', 1));
  const count = Math.min(MAX_RESULTS, Math.max(0, wholeNumber(params, 'count', DEFAULT_RESULTS)));
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${from} and ${meant}`.execute(db);
  const total = counted.rows[0]?.n ?? 0;
  if (count === 0 || startIndex > total) return { total, startIndex, items: [] };
  const standing = schema === USER_SCHEMA ? sql`r.deleted_at is null and` : sql``;
  const tail = sql`${standing} ${meant} order by ${orderOf(params, attributes)} limit ${count} offset ${startIndex - 1}`;
  return { total, startIndex, items: await read(tail) };
}

function wholeNumber(params: URLSearchParams, name: string, usual: number): number {
  const text = params.get(name);
  if (text === null || text === '') return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} is a whole number.`);
  return Number(text);
}

/** As asked, then in the order of creation, so that pages neither repeat nor leave out. */
function orderOf(params: URLSearchParams, attributes: Attributes): RawBuilder<unknown> {
  const by = params.get('sortBy');
  const found = by === null || by === '' ? undefined : attributes.get(plainName(by));
  if (by && found?.kind === 'list') throw invalidValue(`Nothing is sorted by ${by}.`);
  if (found === undefined || found.kind === 'list') return sql`r.created_at, r.id`;
  const direction = params.get('sortOrder')?.toLowerCase() === 'descending' ? sql`desc nulls last` : sql`asc nulls last`;
  return sql`${found.kind === 'text' ? sql`lower(${found.sql})` : found.sql} ${direction}, r.created_at, r.id`;
}

const personOf = (row: PersonRow): KeptPerson => ({
  id: row.id,
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  givenName: row.given_name,
  familyName: row.family_name,
  formattedName: row.formatted_name,
  emails: row.emails.map(({ value, type, primary }) => ({ value, type, primary })),
  active: row.active,
  revision: row.revision,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  groups: row.others,
});

const groupOf = (row: GroupRow): KeptGroup => ({
  id: row.id,
  displayName: row.display_name,
  externalId: row.external_id,
  members: row.others.map(({ id }) => id).sort(),
  revision: row.revision,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  people: row.others,
});
