import { sql } from 'kysely';
import type { RISKS } from '#app/contracts/statuses.ts';

/** Due times to filter by: past, within a day, within seven. */
export const DUE_WORDS = ['overdue', 'day', 'week'] as const;
/** '' for each that is not chosen. `workflow`: an id. */
export type ApprovalFilter = { workflow: string; risk: (typeof RISKS)[number] | ''; due: (typeof DUE_WORDS)[number] | '' };
export const NO_FILTER: ApprovalFilter = { workflow: '', risk: '', due: '' };

/** Of `quorate.approvals a`: those that fit the filter. */
export function fitsFilter({ workflow, risk, due }: ApprovalFilter) {
  const within = { overdue: '0', day: '1 day', week: '7 days', '': '' }[due];
  return sql<boolean>`(${risk === '' ? sql`true` : sql`a.risk = ${risk}`}
    and ${due === '' ? sql`true` : sql`a.due_at < statement_timestamp() + ${within}::interval`}
    and ${workflow === '' ? sql`true` : sql`exists (select from quorate.runs w where w.id = a.run_id and w.artifact_id = ${workflow}::uuid)`})`;
}
