import { sql } from 'kysely';
import { NIL } from 'uuid';
import type { Db } from '#app/contracts/db.ts';
import type { Verdict } from '#app/contracts/statuses.ts';
import { controlsOfDecision, judgeDecision, type PackRecord } from '#app/domain/audit/pack-records.ts';
import type { Batch } from '#app/engine/packs/batch.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';

/** `at`: as the database writes it, to the microsecond. */
type Cursor = { at: string; id: string };
type Row = {
  id: string;
  cursor: string;
  decided_at: Date;
  verdict: Verdict;
  reason: string | null;
  run_id: string;
  step_path: string;
  step_name: string | null;
  approval: boolean;
  personal_data: boolean;
  before: boolean | null;
};

/**
 * Decisions of live runs, by time, as many as `limit` after `after`. One stood before the act where it was taken no later than the call
 * ended; one that a person had to release is followed by an act only once the release was taken up. A denial is followed by none: a step
 * that succeeded under one is an exception.
 */
export async function readDecisions(db: Db, scope: PackScope, after: Cursor | null, limit: number): Promise<Batch<Cursor>> {
  const { from, until, workspace } = scope;
  // The nil id is before every other: so the first batch enters the index as the later ones do, where an `or` would read all before it again.
  const { rows } = await sql<Row>`
    select d.id, d.decided_at::text as cursor, d.decided_at, d.verdict, d.reason ->> 'key' as reason, d.run_id, d.step_path,
      s.name as step_name, s.approval_id is not null as approval,
      coalesce(d.context -> 'personalData' <> '[]'::jsonb, false) as personal_data,
      case when d.verdict = 'deny' then case when s.decision_id = d.id and s.status = 'success' then false end
        when d.verdict = 'require_approval' and not exists (select from quorate.approvals a where a.run_id = d.run_id
          and a.step_path = d.step_path and a.action_digest = d.action_digest and a.status = 'consumed') then null
        else d.decided_at <= s.finished_at end as before
    from quorate.decisions d
    join quorate.runs r on r.id = d.run_id and r.mode = 'live'
    left join quorate.steps s on s.run_id = d.run_id and s.path = d.step_path
    where d.workspace_id = ${workspace.id} and d.decided_at < ${until}
      and (d.decided_at, d.id) > (${after?.at ?? from.toISOString()}::timestamptz, ${after?.id ?? NIL}::uuid)
    order by d.decided_at, d.id limit ${limit}`.execute(db);
  const last = rows.length < limit ? undefined : rows.at(-1);
  const records = rows.map((row) => recordOf(row, scope)).filter(({ controls }) => controls.length > 0);
  return { records, next: last === undefined ? null : { at: last.cursor, id: last.id } };
}

function recordOf(row: Row, { controls, breakGlass }: PackScope): PackRecord {
  const facts = {
    verdict: row.verdict,
    reason: row.reason ?? '',
    personalData: row.personal_data,
    approval: row.approval,
    before: row.before,
  };
  return {
    kind: 'decision',
    id: row.id,
    at: row.decided_at.toISOString(),
    what: row.verdict,
    ...judgeDecision(facts),
    by: null,
    about: { kind: 'step', id: row.step_path, name: row.step_name },
    run: row.run_id,
    place: null,
    breakGlass: breakGlass.some(({ from, to }) => from <= row.decided_at && (to === null || to >= row.decided_at)),
    controls: controlsOfDecision(
      facts,
      controls.map(({ id }) => id),
    ),
  };
}
