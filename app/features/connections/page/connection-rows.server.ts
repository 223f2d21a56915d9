import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import type { NamedKey } from '#app/domain/connections/named-key.ts';
import type { NamedTool } from '#app/engine/connections/look-alikes.ts';

/** Names that are compared for looking alike. */
const MAX_NAMES = 20_000;

type Wanted = { connectionId: string; search: string; after: NamedKey | null; waiting: boolean; size: number };

/** One more than a page of capabilities, by name. `waiting`: only those that nobody has approved in their present form. */
export function readCapabilities(db: Db, { connectionId, search, after, waiting, size }: Wanted) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('quorate.capabilities as c')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.user_id', '=', 'c.approved_by').onRef('m.workspace_id', '=', 'c.workspace_id'),
    )
    .where('c.connection_id', '=', connectionId)
    .$if(search !== '', (list) =>
      list.where((where) =>
        where.or([where('c.name', 'ilike', pattern), where('c.title', 'ilike', pattern), where('c.description', 'ilike', pattern)]),
      ),
    )
    .$if(waiting, (list) =>
      list
        .where('c.removed_at', 'is', null)
        .where((where) =>
          where.or([where('c.approved_fingerprint', 'is', null), where('c.approved_fingerprint', '<>', where.ref('c.fingerprint'))]),
        ),
    )
    .$if(after !== null, (list) => list.where(sql<boolean>`(c.name, c.id) > (${after?.name}, ${after?.id}::uuid)`))
    .orderBy('c.name')
    .orderBy('c.id')
    .limit(size + 1)
    .select([
      'c.id',
      'c.kind',
      'c.name',
      'c.title',
      'c.description',
      'c.input_schema',
      'c.output_schema',
      'c.definition',
      'c.approved_definition',
      'c.fingerprint',
      'c.approved_fingerprint',
      'c.approved_at',
      'c.removed_at',
      'm.name as approver',
    ])
    .execute();
}

export function countCapabilities(db: Db, connectionId: string) {
  return db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', connectionId)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where removed_at is null and approved_fingerprint is null))::int`.as('pending'),
      sql<number>`(count(*) filter (where removed_at is null and approved_fingerprint <> fingerprint))::int`.as('changed'),
    ])
    .executeTakeFirstOrThrow();
}

/** Until when its peer asked for no calls, and how many of the member's runs wait for a place at it. */
export async function readLine(db: Db, connectionId: string): Promise<{ heldUntil: string | null; inLine: number }> {
  const traffic = await db
    .selectFrom('quorate.connection_traffic')
    .where('connection_id', '=', connectionId)
    .where('paused_until', '>', sql<Date>`now()`)
    .select('paused_until')
    .executeTakeFirst();
  const { waiting } = await db
    .selectFrom('quorate.connection_calls')
    .where('connection_id', '=', connectionId)
    .where('state', '<>', 'calling')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow();
  return { heldUntil: traffic?.paused_until?.toISOString() ?? null, inLine: Number(waiting) };
}

export function readNames(db: Db, workspaceId: string): Promise<NamedTool[]> {
  return db
    .selectFrom('quorate.capabilities as c')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('c.workspace_id', '=', workspaceId)
    .where('c.removed_at', 'is', null)
    .where('n.deleted_at', 'is', null)
    .limit(MAX_NAMES)
    .select(['c.id', 'c.name', 'n.name as connection'])
    .execute();
}

/** The latest calls of an agent's skills, as far as the member may see the runs. */
export async function readCalls(db: Db, connectionId: string) {
  const { rows } = await sql<{ run_id: string; path: string; name: string; status: StepStatus; started_at: Date }>`
    select s.run_id, s.path, s.name, s.status, s.started_at from quorate.capabilities k cross join lateral (
      select x.run_id, x.path, x.name, x.status, x.started_at from quorate.steps x where x.capability_id = k.id order by x.started_at desc limit 10) s
    where k.connection_id = ${connectionId} order by s.started_at desc limit 10`.execute(db);
  return rows.map(({ run_id: run, path, name, status, started_at: at }) => ({ run, path, name, status, at: at.toISOString() }));
}

/** Workflows in force that name the connection. */
export function readUsers(db: Db, workspaceId: string, slug: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .where(sql<boolean>`jsonb_path_exists(v.document::jsonb, '$.steps.**.connection ? (@ == $slug)', ${JSON.stringify({ slug })}::jsonb)`)
    .orderBy('a.name')
    .limit(100)
    .select(['a.id', 'a.name'])
    .execute();
}
