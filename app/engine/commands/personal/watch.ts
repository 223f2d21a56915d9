import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { refusal } from '#app/domain/refusal.ts';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** Of one person in one workspace. */
export const MOST_WATCHES = 200;

/** Watches a workflow or a run that one sees. @throws AppError not_found */
export const watch = definePersonalCommand({
  input: z.object({ workspace: idSchema, kind: z.enum(['workflow', 'run']), id: idSchema }),
  changes: ['quorate.watches'],
  repeat: 'overwrites',
  async change({ db, userId }, { workspace, kind, id }) {
    const seen = await db
      .selectFrom(kind === 'run' ? 'quorate.runs' : 'quorate.artifacts')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (seen === undefined) throw new AppError('not_found');
    const kept = await db
      .selectFrom('quorate.watches')
      .select('created_at')
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .limit(MOST_WATCHES)
      .execute();
    if (kept.length >= MOST_WATCHES) throw refusal('invalid_input', 'tooManyWatches', { values: { maximum: MOST_WATCHES } });
    await db
      .insertInto('quorate.watches')
      .values({ workspace_id: workspace, user_id: userId, ...(kind === 'run' ? { run_id: id } : { artifact_id: id }) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
});
