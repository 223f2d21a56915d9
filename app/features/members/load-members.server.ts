import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { avatarPath } from '#app/components/data/avatar-path.ts';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { ROLES, type Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';
import { loadPending } from '#app/features/members/load-pending.server.ts';

export type MemberRow = {
  userId: string;
  name: string;
  email: string;
  roles: Role[];
  since: string;
  until: string | null;
  picture: string | null;
  /** Came from the company's directory. */
  provisioned: boolean;
};
type Row = {
  user_id: string;
  name: string;
  email: string;
  roles: Role[];
  created_at: Date;
  ends_at: Date | null;
  digest: string | null;
  provisioned: boolean;
  key: string;
};
type Context = Readonly<RouterContextProvider>;

const PAGE: ListExtent = { size: 100, counted: true };
const MEMBERS: ListAddress = { name: 'members', path: href('/dashboard/admin/members'), params: ['q', 'role', 'sort'] };
const ORDERS = {
  name: { by: sql`m.name`, as: 'text' },
  email: { by: sql`m.email`, as: 'text' },
  since: { by: sql`m.created_at`, as: 'timestamptz' },
} as const;

/** Everyone in the workspace by name, a page at a time, and for admins the newest invitations. */
export async function loadMembers({ url, context }: { url: URL; context: Context }) {
  const { member, read } = context.get(memberContext);
  const manages = can(member.roles, 'manageMembers');
  const found = await read(async (db) => ({
    ...(await readMembers(db, context, url.searchParams)),
    ...(await loadPending(db, member, manages, context.get(servicesContext).now())),
  }));
  return {
    ...found,
    workspace: shownWorkspaceName(context),
    me: member.userId,
    manages,
  };
}
export type MembersView = Awaited<ReturnType<typeof loadMembers>>;

const COLUMNS: readonly CsvColumn<MemberRow>[] = [
  ['user_id', (row) => row.userId],
  ['name', (row) => row.name],
  ['email', (row) => row.email, 'email'],
  ['roles', (row) => row.roles.join(' '), 'roles'],
  ['member_since', (row) => row.since, 'since'],
  ['member_until', (row) => row.until ?? ''],
];

export async function downloadMembers(context: Context, url: URL): Promise<Response> {
  const { members, list } = await context.get(memberContext).read((db) => readMembers(db, context, url.searchParams, FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, members, list.hidden));
}

async function readMembers(db: Db, context: Context, params: URLSearchParams, extent = PAGE) {
  const { member } = context.get(memberContext);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = readSearchWords(params.get('q')).words;
  const meant = sql`m.workspace_id = ${who.workspaceId}
    and (${query} = '' or strpos(lower(m.name || ' ' || m.email), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who,
    address: MEMBERS,
    params,
    orders: ORDERS,
    sort: { by: 'name', descending: false },
    id: sql`m.user_id`,
    facets: { role: { values: sql`m.roles`, chosen: chosenOf(ROLES, params, 'role') } },
    counted: sql`from quorate.members m where ${meant}`,
    extent,
    page: ({ key, where, order, limit }) => sql<Row>`
      select m.user_id, m.name, m.email, m.roles, m.created_at, m.ends_at, a.digest, quorate.is_provisioned(m.user_id) as provisioned, ${key} as key
      from quorate.members m left join quorate.avatars a on a.user_id = m.user_id
      where ${meant} and ${where} order by ${order} limit ${limit}`,
  });
  return {
    list,
    members: rows.map(
      (row): MemberRow => ({
        userId: row.user_id,
        name: row.name,
        email: row.email,
        roles: row.roles,
        since: row.created_at.toISOString(),
        until: row.ends_at?.toISOString() ?? null,
        picture: avatarPath(row.user_id, row.digest),
        provisioned: row.provisioned,
      }),
    ),
  };
}
