import { sql } from 'kysely';
import { NIL } from 'uuid';
import type { Db } from '#app/contracts/db.ts';
import { controlsOfEntry, judgeEntry, type PackRecord } from '#app/domain/audit/pack-records.ts';
import type { Batch } from '#app/engine/packs/batch.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';

type Cursor = { at: Date; id: string };
type Row = {
  id: string;
  at: Date;
  action: string;
  actor_name: string | null;
  resource_kind: string;
  resource_id: string;
  resource_name: string | null;
  leaf_index: number;
  run: string | null;
  alone: boolean;
  agreed: boolean;
  break_glass: boolean;
  before: boolean | null;
};

/**
 * Entries of the log that show one of the scope's controls, by time, as many as `limit` after `after`. An approval of a call stood before the
 * act where it was given no later than the call took it up, and has its place in the log before the entry that closes the run.
 */
export async function readEntries(db: Db, scope: PackScope, after: Cursor | null, limit: number): Promise<Batch<Cursor>> {
  const { from, until, size, workspace, actions } = scope;
  // The nil id is before every other: so the first batch enters the index as the later ones do, where an `or` would read all before it again.
  const { rows } = await sql<Row>`
    select e.id, e.at, e.action, e.actor_name, e.resource_kind, e.resource_id, e.resource_name, e.leaf_index,
      case when e.resource_kind = 'run' then e.resource_id else a.run_id::text end as run,
      coalesce(e.payload ->> 'separated' = 'false', false) as alone,
      (e.payload ? 'change' and e.payload ? 'signature') as agreed,
      (e.payload ? 'breakGlass') as break_glass,
      case when e.action = 'approval.approved' and a.subject_kind = 'step' and a.consumed_at is not null
        then a.decided_at <= a.consumed_at and coalesce(e.leaf_index < closing.leaf_index, true) end as before
    from quorate.audit_events e
    left join quorate.approvals a on a.workspace_id = e.workspace_id
      and a.id = case when e.resource_kind = 'approval' then e.resource_id::uuid end
    left join lateral (
      select c.leaf_index from quorate.audit_events c
      where e.action = 'approval.approved' and c.workspace_id = e.workspace_id and c.resource_kind = 'run'
        and c.resource_id = a.run_id::text and c.action in ('run.completed', 'run.failed', 'run.cancelled')
      order by c.leaf_index limit 1
    ) closing on true
    where e.workspace_id = ${workspace.id} and e.at < ${until} and e.action = any(${actions}::text[])
      and e.leaf_index < ${size} and (e.at, e.id) > (${after?.at ?? from}::timestamptz, ${after?.id ?? NIL}::uuid)
    order by e.at, e.id limit ${limit}`.execute(db);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { records: rows.map((row) => recordOf(row, scope)), next: last === undefined ? null : { at: last.at, id: last.id } };
}

function recordOf(row: Row, { controls }: PackScope): PackRecord {
  const facts = { action: row.action, separated: !row.alone, agreed: row.agreed, before: row.before };
  return {
    kind: 'entry',
    id: row.id,
    at: row.at.toISOString(),
    what: row.action,
    ...judgeEntry(facts),
    by: row.actor_name,
    about: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
    run: row.run,
    place: row.leaf_index,
    breakGlass: row.break_glass,
    controls: controlsOfEntry(
      row.action,
      controls.map(({ id }) => id),
    ),
  };
}
