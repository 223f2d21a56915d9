import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

/** `run` null: the member may fill in the form, and not see the run. */
export type WaitingTask = { id: string; title: string; workflow: string; run: RunIdentity | null; dueAt: string; overdue: boolean };

/** Open forms that this member may fill in, the first due first, at most `limit`. `dueAt` is ISO 8601. */
export async function readWaitingTasks(db: Db, limit: number): Promise<WaitingTask[]> {
  type Row = { id: string; title: string; workflow: string; due_at: Date; overdue: boolean; number: number | null; subject: Json };
  const { rows } = await sql<Row>`
    select l.*, r.number, r.subject from quorate.list_my_human_tasks(${limit}) l
    left join quorate.human_tasks t on t.id = l.id left join quorate.runs r on r.id = t.run_id
    order by l.due_at, l.id`.execute(db);
  return rows.map(({ due_at, number, subject, ...task }) => ({
    ...task,
    run: number === null ? null : { number, subject: readSubject(subject) },
    dueAt: due_at.toISOString(),
  }));
}

/** How many there are, at most `limit`. */
export async function countWaitingTasks(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from quorate.list_my_human_tasks(${limit})`.execute(db);
  return rows[0]?.count ?? 0;
}
