import type { Db } from '#app/contracts/db.ts';

/** Whether this member watches the workflow or the run itself. */
export async function isWatched(db: Db, userId: string, kind: 'workflow' | 'run', id: string): Promise<boolean> {
  const row = await db
    .selectFrom('quorate.watches')
    .select('user_id')
    .where('user_id', '=', userId)
    .where(kind === 'run' ? 'run_id' : 'artifact_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
