import { sql } from 'kysely';
import type { RISKS } from '#app/contracts/statuses.ts';
import { amountAsSearched } from '#app/domain/web/search-words.ts';
import { isDutyOf, isNobodysDuty, wasAssignedTo } from '#app/engine/approvals/work/whose.ts';

/** Due times to filter by: past, within a day, within seven. */
export const DUE_WORDS = ['overdue', 'day', 'week'] as const;
/**
 * '' for each that is not chosen. `workflow`: an id. `assigned`: the reader's own duty, nobody's, or a member by their id. `q`: words of
 * its question, its sentence or the values of its action, or the number of its run. `min`, `max`: one of its amounts, whatever its
 * currency, lies between them.
 */
export type ApprovalFilter = {
  workflow: string;
  risk: (typeof RISKS)[number] | '';
  due: (typeof DUE_WORDS)[number] | '';
  assigned: 'me' | 'nobody' | (string & {});
  q: string;
  min: number | '';
  max: number | '';
};
export const NO_FILTER: ApprovalFilter = { workflow: '', risk: '', due: '', assigned: '', q: '', min: '', max: '' };

/** Of closed approvals, as many are looked through for words and amounts, the newest. */
const SEARCHED_CLOSED = 10_000;

/** Of `quorate.approvals a`: those that fit the filter of this reader. */
export function fitsFilter({ workflow, risk, due, assigned, q, min, max }: ApprovalFilter, userId: string) {
  const within = { overdue: '0', day: '1 day', week: '7 days', '': '' }[due];
  const parts = [
    risk === '' ? null : sql`a.risk = ${risk}`,
    due === '' ? null : sql`a.due_at < statement_timestamp() + ${within}::interval`,
    workflow === '' ? null : sql`exists (select from quorate.runs w where w.id = a.run_id and w.artifact_id = ${workflow}::uuid)`,
    assigned === '' ? null : fitsAssigned(assigned, userId),
    q === '' && min === '' && max === '' ? null : isSearched,
    q === '' ? null : holds(q),
    min === '' && max === '' ? null : hasAmount(min, max),
  ].filter((part) => part !== null);
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

function fitsAssigned(assigned: ApprovalFilter['assigned'], userId: string) {
  if (assigned === 'me') return isDutyOf(userId);
  return assigned === 'nobody' ? isNobodysDuty : wasAssignedTo(assigned);
}

const isSearched = sql`(a.status = 'pending' or a.created_at >= coalesce((select c.created_at from quorate.approvals c
  where c.workspace_id = quorate.current_workspace_id() and c.status <> 'pending'
  order by c.created_at desc, c.id desc offset ${sql.lit(SEARCHED_CLOSED)} limit 1), '-infinity'))`;

function holds(q: string) {
  const number = /^#?(\d{1,9})$/.exec(q)?.[1];
  const byNumber = sql`a.run_id = (select n.id from quorate.runs n
    where n.workspace_id = quorate.current_workspace_id() and n.number = ${Number(number)})`;
  if (number !== undefined && q.startsWith('#')) return byNumber;
  const like = `%${amountAsSearched(q).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return number === undefined ? sql`a.words ilike ${like}` : sql`(a.words ilike ${like} or ${byNumber})`;
}

const hasAmount = (min: number | '', max: number | '') =>
  sql`exists (select from unnest(a.amounts) x where ${min === '' ? sql`true` : sql`x >= ${min}::float8`}
    and ${max === '' ? sql`true` : sql`x <= ${max}::float8`})`;
