import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

const SHOWN_PEOPLE = 25;
const SHOWN_GROUPS = 100;
const SHOWN_REFUSALS = 50;
type Context = Readonly<RouterContextProvider>;

/** The member's way to the data, for who manages members; 403 for everyone else. */
export function requireManager(context: Context) {
  const access = context.get(memberContext);
  assertPermission(access.member.roles, 'manageMembers');
  return access;
}

/** Where a directory provisions this workspace, its tokens, and what came by them. */
export async function loadProvisioning(context: Context) {
  const { member, read } = requireManager(context);
  const { origin, now } = context.get(servicesContext);
  const found = await read(async (db) => ({
    tokens: await loadTokens(db, member.workspace.id, member.userId, now()),
    ...(await loadPeople(db, member.workspace.id)),
    groups: await loadGroups(db, member.workspace.id),
    refusals: await loadRefusals(db, member.workspace.id),
  }));
  return { ...found, address: `${origin}/scim/v2/${member.workspace.slug}` };
}
export type ProvisioningView = Awaited<ReturnType<typeof loadProvisioning>>;
export type TokenRow = ProvisioningView['tokens'][number];
export type PersonRow = ProvisioningView['people'][number];
export type GroupRow = ProvisioningView['groups'][number];
export type RefusalRow = ProvisioningView['refusals'][number];

/** `control`: whether it may give and take roles of control; `alone`: nobody but its maker could agree to that. */
async function loadTokens(db: Db, workspaceId: string, me: string, now: Date) {
  const { rows } = await sql<{
    id: string;
    name: string;
    prefix: string;
    maker: string | null;
    created_by: string;
    created_at: Date;
    expires_at: Date;
    last_used_at: Date | null;
    confirmed: boolean;
  }>`select t.id, t.name, t.prefix, m.name as maker, t.created_by, t.created_at, t.expires_at, t.last_used_at,
      t.confirmed_by is not null as confirmed
    from quorate.directory_tokens t left join quorate.members m on m.workspace_id = t.workspace_id and m.user_id = t.created_by
    where t.workspace_id = ${workspaceId} and t.revoked_at is null and t.expires_at > ${now} order by t.created_at desc, t.id`.execute(db);
  const others = await secondPersonAgrees(db);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    maker: row.maker,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.last_used_at?.toISOString() ?? null,
    control: row.confirmed ? ('confirmed' as const) : others || row.created_by !== me ? ('waits' as const) : ('alone' as const),
    mayConfirm: !row.confirmed && row.created_by !== me,
  }));
}

async function loadPeople(db: Db, workspaceId: string) {
  const counted = await sql<{ n: number }>`select count(*)::int as n from quorate.directory_people p
    where p.workspace_id = ${workspaceId} and p.deleted_at is null`.execute(db);
  const { rows } = await sql<{
    id: string;
    name: string;
    user_name: string;
    email: string | null;
    active: boolean;
    joined: boolean;
    is_member: boolean;
    changed_at: Date;
  }>`select p.id, coalesce(p.display_name, p.user_name) as name, p.user_name, p.email, p.active, p.user_id is not null as joined,
      exists (select from quorate.members m where m.workspace_id = p.workspace_id and m.user_id = p.user_id) as is_member, p.changed_at
    from quorate.directory_people p where p.workspace_id = ${workspaceId} and p.deleted_at is null
    order by p.changed_at desc, p.id limit ${SHOWN_PEOPLE}`.execute(db);
  return {
    count: counted.rows[0]?.n ?? 0,
    people: rows.map((row) => ({
      id: row.id,
      name: row.name,
      userName: row.user_name,
      email: row.email,
      membership: !row.active
        ? ('inactive' as const)
        : row.is_member
          ? ('member' as const)
          : row.joined
            ? ('left' as const)
            : ('invited' as const),
      changedAt: row.changed_at.toISOString(),
    })),
  };
}

async function loadGroups(db: Db, workspaceId: string) {
  const { rows } = await sql<{ id: string; name: string; people: number; roles: Role[] | null }>`
    select g.id, g.display_name as name,
      (select count(*)::int from quorate.directory_group_people p where p.group_id = g.id) as people, a.roles
    from quorate.directory_groups g
    left join quorate.group_roles a on a.workspace_id = g.workspace_id and a.group_name = g.display_name
    where g.workspace_id = ${workspaceId} order by a.roles is null, lower(g.display_name) limit ${SHOWN_GROUPS}`.execute(db);
  return rows.map((row) => ({ ...row, roles: row.roles ?? [] }));
}

async function loadRefusals(db: Db, workspaceId: string) {
  const rows = await db
    .selectFrom('quorate.directory_refusals')
    .select(['id', 'at', 'method', 'path', 'status', 'detail'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('at', 'desc')
    .limit(SHOWN_REFUSALS)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), path: row.path.replace(/^\/scim\/v2\/[^/]+/, '') }));
}

/** A fresh id for the form of a token, and the one that it replaces; null: none. */
export async function loadNewToken(context: Context, url: URL) {
  requireManager(context);
  const replaced = url.searchParams.get('replaces');
  return { id: context.get(servicesContext).newId(), replaces: replaced === null ? null : await loadToken(context, replaced) };
}
export type NewTokenView = Awaited<ReturnType<typeof loadNewToken>>;

/** A token of the workspace that works; 404 for every other. */
export async function loadToken(context: Context, id: string): Promise<{ id: string; name: string; prefix: string }> {
  const { member, read } = requireManager(context);
  const row = z.uuid().safeParse(id).success
    ? await read((db) =>
        db
          .selectFrom('quorate.directory_tokens')
          .select(['id', 'name', 'prefix'])
          .where('workspace_id', '=', member.workspace.id)
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
    : undefined;
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}
