import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Member } from '#app/contracts/principals.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

/** Naming the member finds their runs without passing everyone's. */
const ownRuns = (member: Member) => (can(member.roles, 'seeAllRuns') ? sql`` : sql`and r.initiator_id = ${member.userId}`);

export type NewRun = RunIdentity & { id: string; workflow: string; status: RunStatus; mode: 'live' | 'test'; createdAt: string };

/** The newest runs that the member sees. */
export async function readNewest(db: Db, member: Member, limit: number): Promise<NewRun[]> {
  const { rows } = await sql<Omit<NewRun, 'subject' | 'createdAt'> & { subject: unknown; created_at: Date }>`
    select r.id, r.number, r.subject, r.status, r.mode, r.created_at, a.name as workflow
    from (select r.* from quorate.runs r where r.workspace_id = ${member.workspace.id} ${ownRuns(member)}
      order by r.created_at desc, r.id desc limit ${limit}) r
      join quorate.artifacts a on a.id = r.artifact_id
    order by r.created_at desc, r.id desc`.execute(db);
  return rows.map(({ created_at, ...row }) => ({ ...row, subject: readSubject(row.subject), createdAt: created_at.toISOString() }));
}

/** Failed runs among which causes are looked for: the newest. */
const FAILED_SEARCHED = 500;

/** `latest`: the newest failure of the group, whose values stand for the others. `step` null: no step of the run failed. */
export type ErrorGroup = {
  key: string;
  latest: Explanation;
  workflowId: string;
  workflow: string;
  path: string | null;
  step: string | null;
  runs: number;
  lastAt: string;
};

/** Live runs that failed since then, by the key of their reason and the step that failed, the most frequent first. */
export async function readErrorGroups(db: Db, member: Member, since: Date, limit: number): Promise<ErrorGroup[]> {
  const { rows } = await sql<Omit<ErrorGroup, 'latest' | 'lastAt'> & { latest: unknown; last_at: Date }>`
    select g.*, a.name as workflow from (
      select f.error ->> 'key' as key, f.artifact_id as "workflowId", s.path, max(s.name) as step, count(*)::int as runs,
        (array_agg(f.error order by f.created_at desc))[1] as latest, max(f.created_at) as last_at
      from (select r.id, r.artifact_id, r.error, r.created_at from quorate.runs r
        where r.workspace_id = ${member.workspace.id} and r.status = 'failed' and r.mode = 'live' and r.created_at >= ${since} ${ownRuns(member)}
        order by r.created_at desc, r.id desc limit ${FAILED_SEARCHED}) f
      left join lateral (select e.path, e.name from quorate.steps e
        where e.run_id = f.id and e.status = 'error' order by e.finished_at desc limit 1) s on true
      where f.error ->> 'key' is not null group by 1, 2, 3 order by 5 desc, 7 desc limit ${limit}) g
    join quorate.artifacts a on a.id = g."workflowId" order by g.runs desc, g.last_at desc`.execute(db);
  return rows.map(({ last_at, latest, ...row }) => ({
    ...row,
    latest: explanationSchema.safeParse(latest).data ?? { key: row.key, values: {} },
    lastAt: last_at.toISOString(),
  }));
}

/** Counts of events since the last visit end at this many. */
const COUNTED = 1_000;
const MOST_ACTIONS = 6;

export type Since = {
  /** ISO 8601; null: this is the first visit. */
  at: string | null;
  runs: number;
  failed: number;
  /** Actions of others by their name in the log, the most frequent first; null: the member does not read the log. */
  actions: { action: string; count: number }[] | null;
  most: number;
};

/** Runs that have started since then, and what others have done meanwhile. */
export async function readSince(db: Db, member: Member, since: Date | null): Promise<Since> {
  const reads = can(member.roles, 'readAuditLog');
  if (since === null) return { at: null, runs: 0, failed: 0, actions: reads ? [] : null, most: COUNTED };
  const { rows } = await sql<{ runs: number; failed: number; actions: { action: string; count: number }[] }>`
    select count(*)::int as runs, (count(*) filter (where x.status = 'failed'))::int as failed,
      (select coalesce(jsonb_agg(y), '[]') from (select e.action, count(*)::int as count from (
        select l.action from quorate.audit_events l where l.workspace_id = ${member.workspace.id} and ${reads} and l.at > ${since}
          and l.actor_id is distinct from ${member.userId} and l.action not like 'run.%'
        order by l.at desc, l.id desc limit ${COUNTED}) e group by 1 order by 2 desc, 1 limit ${MOST_ACTIONS}) y) as actions
    from (select r.status from quorate.runs r where r.workspace_id = ${member.workspace.id} and r.created_at > ${since} ${ownRuns(member)}
      order by r.created_at desc limit ${COUNTED}) x`.execute(db);
  const { runs = 0, failed = 0, actions = [] } = rows[0] ?? {};
  return { at: since.toISOString(), runs, failed, actions: reads ? actions : null, most: COUNTED };
}

export type Change = { id: string; action: string; actor: string | null; resource: string | null; at: string };

/** The newest entries of the log by people: everyone's for readers of the log, one's own otherwise. */
export async function readChanges(db: Db, member: Member, limit: number): Promise<{ rows: Change[]; all: boolean }> {
  const all = can(member.roles, 'readAuditLog');
  let query = db.selectFrom('quorate.audit_events').where('workspace_id', '=', member.workspace.id);
  if (!all) query = query.where('actor_id', '=', member.userId);
  const rows = await query
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select(['id', 'action', 'actor_name', 'resource_name', 'at'])
    .execute();
  return {
    all,
    rows: rows.map((row) => ({
      id: row.id,
      action: row.action,
      actor: row.actor_name,
      resource: row.resource_name,
      at: row.at.toISOString(),
    })),
  };
}
