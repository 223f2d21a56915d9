import { type SqlBool, sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { may } from '#app/domain/roles.ts';
import type { Db } from '#app/engine/db.ts';
import { type AuditFilter, NOBODY, readAuditFilter } from '#app/features/audit/audit-filter-schema.ts';
import { listSavedViews } from '#app/features/audit/saved-views.server.ts';
import { memberContext } from '#app/request-context.ts';

const AUDIT_PAGE_SIZE = 50;
/** Pages beyond are reached by filters: to count a log of millions of entries would read all of it for each page. */
const MOST_PAGES = 200;

export type AuditRow = {
  id: string;
  at: string;
  actor: { kind: string; name: string | null };
  action: string;
  resource: { kind: string; id: string; name: string | null };
  erased: boolean;
  leafIndex: number | null;
};

/** One page of the log, newest first. Auditors and admins see all of it, everybody else what they did themselves: the database sees to that. */
export async function loadAuditLog({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { filter, valid } = readAuditFilter(url.searchParams);
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  const seesAll = may(member.roles, 'readAuditLog');
  // The database shows nobody else's entries to others; said here too, it finds their few without reading everybody's.
  const own = seesAll ? null : member.userId;
  const found = await read(async (db) => ({
    actions: await listActions(db, member.workspace.id, own),
    views: await listSavedViews(db, { workspaceId: member.workspace.id, userId: member.userId }),
    people: seesAll
      ? await db
          .selectFrom('quorate.members')
          .select(['user_id as id', 'name'])
          .where('workspace_id', '=', member.workspace.id)
          .orderBy('name')
          .execute()
      : [],
    ...(valid ? await readPage(db, member.workspace.id, own, filter, page) : { total: 0, rows: [] }),
  }));
  const pageCount = Math.max(1, Math.ceil(found.total / AUDIT_PAGE_SIZE));
  const loaded = {
    filter,
    valid,
    seesAll,
    page,
    pageCount,
    people: found.people,
    actions: found.actions,
    rows: found.rows,
    views: found.views,
  };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedAuditLog = Awaited<ReturnType<typeof loadAuditLog>>['data'];

async function readPage(
  db: Db,
  workspaceId: string,
  own: string | null,
  filter: AuditFilter,
  page: number,
): Promise<{ total: number; rows: AuditRow[] }> {
  let query = db.selectFrom('quorate.audit_events').where('workspace_id', '=', workspaceId);
  if (own !== null) query = query.where('actor_id', '=', own);
  if (filter.user === NOBODY) query = query.where('actor_id', 'is', null);
  else if (filter.user !== '') query = query.where('actor_id', '=', z.uuid().safeParse(filter.user).data ?? null);
  if (filter.action !== '') query = query.where('action', '=', filter.action);
  if (filter.resource !== '') query = query.where(namesResource(filter.resource));
  if (filter.from !== '') query = query.where('at', '>=', new Date(`${filter.from}T00:00:00Z`));
  if (filter.until !== '') query = query.where('at', '<', new Date(Date.parse(`${filter.until}T00:00:00Z`) + 86_400_000));

  const counted = query.select(sql<number>`1`.as('one')).limit(AUDIT_PAGE_SIZE * MOST_PAGES);
  const { total } = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'id',
      'at',
      'actor_kind',
      'actor_name',
      'action',
      'resource_kind',
      'resource_id',
      'resource_name',
      'leaf_index',
      sql<boolean>`salt is null`.as('erased'),
    ])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(AUDIT_PAGE_SIZE)
    .offset((page - 1) * AUDIT_PAGE_SIZE)
    .execute();
  return {
    total,
    rows: rows.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor: { kind: row.actor_kind, name: row.actor_name },
      action: row.action,
      resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
      erased: row.erased,
      leafIndex: row.leaf_index,
    })),
  };
}

/** Exact for kind and id, a part for the name. */
function namesResource(text: string) {
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(resource_kind = ${text} or resource_id = ${text} or resource_name ilike ${part})`;
}

/** The actions that occur, each by one probe of the index. */
async function listActions(db: Db, workspaceId: string, own: string | null): Promise<string[]> {
  if (own !== null) {
    const mine = await db
      .selectFrom('quorate.audit_events')
      .select('action')
      .distinct()
      .where('workspace_id', '=', workspaceId)
      .where('actor_id', '=', own)
      .execute();
    return mine.map((row) => row.action);
  }
  const { rows } = await sql<{ action: string }>`
    with recursive a (action) as (
      (select e.action from quorate.audit_events e where e.workspace_id = ${workspaceId} order by e.action limit 1)
      union all
      select (select e.action from quorate.audit_events e where e.workspace_id = ${workspaceId} and e.action > a.action order by e.action limit 1) from a where a.action is not null
    )
    select a.action from a where a.action is not null`.execute(db);
  return rows.map((row) => row.action);
}
