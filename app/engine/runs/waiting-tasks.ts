import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

export type WaitingTask = { id: string; title: string; workflow: string; dueAt: string };

/** Open tasks that this member may answer, the first due first, at most `limit`. `dueAt` is ISO 8601. */
export async function readWaitingTasks(db: Db, limit: number): Promise<WaitingTask[]> {
  const { rows } = await sql<{ id: string; title: string; workflow: string; due_at: Date }>`
    select * from quorate.list_my_human_tasks(${limit})`.execute(db);
  return rows.map(({ due_at, ...task }) => ({ ...task, dueAt: due_at.toISOString() }));
}
