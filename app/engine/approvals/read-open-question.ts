import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** The approval of a run under which an approver's oldest question waits for this member's answer; null: none does. */
export async function readOpenQuestion(db: Db, runId: string, userId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select x.id from (
      select a.id, (select c.written_at from quorate.approval_comments c where c.approval_id = a.id and c.kind = 'question'
        and (select n.id from quorate.approval_comments n where n.question_id = c.id limit 1) is null
        order by c.written_at limit 1) as asked_at
      from quorate.approvals a where a.run_id = ${runId} and a.status = 'pending' and a.requested_by = ${userId}) x
    where x.asked_at is not null order by x.asked_at limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
