import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

export type WaitingTask = { id: string; title: string; workflow: string; dueAt: string; overdue: boolean };

/** Open forms that this member may fill in, the first due first, at most `limit`. `dueAt` is ISO 8601. */
export async function readWaitingTasks(db: Db, limit: number): Promise<WaitingTask[]> {
  const { rows } = await sql<{ id: string; title: string; workflow: string; due_at: Date; overdue: boolean }>`
    select * from quorate.list_my_human_tasks(${limit})`.execute(db);
  return rows.map(({ due_at, ...task }) => ({ ...task, dueAt: due_at.toISOString() }));
}

/** How many there are, at most `limit`. */
export async function countWaitingTasks(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from quorate.list_my_human_tasks(${limit})`.execute(db);
  return rows[0]?.count ?? 0;
}
