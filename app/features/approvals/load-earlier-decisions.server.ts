import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ApprovalStatus, RunStatus } from '#app/contracts/statuses.ts';

/** As many are compared. */
const COMPARED = 20;
const SHOWN = 5;
const MAX_NAMES = 3;
const MAX_NAME = 60;

type Approval = { id: string; step_path: string; subject: Json };

/**
 * How the same question of the same workflow was decided before: the newest few of the last twenty, who decided, how their runs ended, and
 * which values of the action are the same as here. Members of the same loop count as one question.
 */
export async function readEarlierDecisions(db: Db, approval: Approval, workflowId: string) {
  const { rows } = await sql<{
    id: string;
    status: ApprovalStatus;
    decided_at: Date | null;
    created_at: Date;
    subject: Json;
    run_id: string;
    run_status: RunStatus;
    voters: string[] | null;
  }>`
    select a.id, a.status, a.decided_at, a.created_at, a.subject, r.id as run_id, r.status as run_status,
      (select array_agg(v.voter_name order by v.voted_at) from quorate.approval_votes v where v.approval_id = a.id) as voters
    from quorate.approvals a join quorate.runs r on r.id = a.run_id
    where a.workspace_id = quorate.current_workspace_id() and a.status <> 'pending' and r.artifact_id = ${workflowId}
      and quorate.question_of(a.step_path) = quorate.question_of(${approval.step_path}) and a.id <> ${approval.id}
    order by a.created_at desc limit ${COMPARED}`.execute(db);
  const here = valuesOf(approval.subject);
  const all = rows.map((row) => ({
    id: row.id,
    status: row.status,
    at: (row.decided_at ?? row.created_at).toISOString(),
    voters: row.voters ?? [],
    run: { id: row.run_id, status: row.run_status },
    same: sameValues(here, valuesOf(row.subject)),
  }));
  const count = (...statuses: ApprovalStatus[]) => all.filter((row) => statuses.includes(row.status)).length;
  return {
    total: all.length,
    approved: count('approved', 'consumed'),
    rejected: count('rejected'),
    // those that resemble this one most, the newest first
    shown: all.toSorted((one, other) => other.same.length - one.same.length).slice(0, SHOWN),
  };
}

/** The values of an action, by name: of a question those that its author shows, of a call its input. */
function valuesOf(subject: Json): { [name: string]: Json } {
  const input = isObject(subject) ? subject.input : undefined;
  if (!isObject(input)) return {};
  return isObject(input.show) && typeof input.question === 'string' ? input.show : input;
}

function sameValues(here: { [name: string]: Json }, there: { [name: string]: Json }): string[] {
  const names = Object.keys(here).filter((name) => isTelling(here[name]) && JSON.stringify(here[name]) === JSON.stringify(there[name]));
  return names.filter((name) => name.length <= MAX_NAME).slice(0, MAX_NAMES);
}

/** A yes or no, or nothing at all, makes two actions no more alike. */
const isTelling = (value: Json | undefined) => (typeof value === 'string' && value !== '') || typeof value === 'number';
const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
