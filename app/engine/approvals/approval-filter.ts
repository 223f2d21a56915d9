import { sql } from 'kysely';
import type { RISKS } from '#app/contracts/statuses.ts';
import { isDutyOf, isNobodysDuty, wasAssignedTo } from '#app/engine/approvals/work/whose.ts';

/** Due times to filter by: past, within a day, within seven. */
export const DUE_WORDS = ['overdue', 'day', 'week'] as const;
/** '' for each that is not chosen. `workflow`: an id. `assigned`: the reader's own duty, nobody's, or a member by their id. */
export type ApprovalFilter = {
  workflow: string;
  risk: (typeof RISKS)[number] | '';
  due: (typeof DUE_WORDS)[number] | '';
  assigned: 'me' | 'nobody' | (string & {});
};
export const NO_FILTER: ApprovalFilter = { workflow: '', risk: '', due: '', assigned: '' };

/** Of `quorate.approvals a`: those that fit the filter of this reader. */
export function fitsFilter({ workflow, risk, due, assigned }: ApprovalFilter, userId: string) {
  const within = { overdue: '0', day: '1 day', week: '7 days', '': '' }[due];
  return sql<boolean>`(${risk === '' ? sql`true` : sql`a.risk = ${risk}`}
    and ${due === '' ? sql`true` : sql`a.due_at < statement_timestamp() + ${within}::interval`}
    and ${fitsAssigned(assigned, userId)}
    and ${workflow === '' ? sql`true` : sql`exists (select from quorate.runs w where w.id = a.run_id and w.artifact_id = ${workflow}::uuid)`})`;
}

function fitsAssigned(assigned: ApprovalFilter['assigned'], userId: string) {
  if (assigned === '') return sql<boolean>`true`;
  if (assigned === 'me') return isDutyOf(userId);
  return assigned === 'nobody' ? isNobodysDuty : wasAssignedTo(assigned);
}
