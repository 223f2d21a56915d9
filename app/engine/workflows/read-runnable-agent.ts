import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';

/** An agent that can be given a task: live, its published version; test, its draft. @throws AppError not_found */
export async function readRunnableAgent(db: Db, id: string, mode: 'live' | 'test') {
  const row = await db
    .selectFrom('quorate.artifacts')
    .where('id', '=', id)
    .where('kind', '=', 'agent')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'description', 'status', 'published_version_id'])
    .executeTakeFirst();
  if (row === undefined || (mode === 'live' && row.published_version_id === null)) throw new AppError('not_found');
  return row;
}
