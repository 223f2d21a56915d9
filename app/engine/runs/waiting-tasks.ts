import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

/** `run` null: the member may fill in the form, and not see the run. */
export type WaitingTask = { id: string; title: string; workflow: string; run: RunIdentity | null; dueAt: string; overdue: boolean };

/** Open forms that this member may fill in, the first due first, at most `limit`. `dueAt` is ISO 8601. */
export async function readWaitingTasks(db: Db, limit: number): Promise<WaitingTask[]> {
  const { rows } = await sql<{ id: string; title: string; workflow: string; due_at: Date; overdue: boolean }>`
    select * from quorate.list_my_human_tasks(${limit})`.execute(db);
  const runs = await db
    .selectFrom('quorate.human_tasks as t')
    .innerJoin('quorate.runs as r', 'r.id', 't.run_id')
    .where('t.id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .select(['t.id', 'r.number', 'r.subject'])
    .execute();
  const runOf = new Map(runs.map(({ id, number, subject }) => [id, { number, subject: readSubject(subject) }]));
  return rows.map(({ due_at, ...task }) => ({ ...task, run: runOf.get(task.id) ?? null, dueAt: due_at.toISOString() }));
}

/** How many there are, at most `limit`. */
export async function countWaitingTasks(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from quorate.list_my_human_tasks(${limit})`.execute(db);
  return rows[0]?.count ?? 0;
}
