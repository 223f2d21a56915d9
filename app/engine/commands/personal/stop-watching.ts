import { z } from 'zod';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** Watches a workflow or a run no longer. */
export const stopWatching = definePersonalCommand({
  input: z.object({ workspace: idSchema, kind: z.enum(['workflow', 'run']), id: idSchema }),
  changes: ['quorate.watches'],
  repeat: 'overwrites',
  async change({ db, userId }, { workspace, kind, id }) {
    await db
      .deleteFrom('quorate.watches')
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .where(kind === 'run' ? 'run_id' : 'artifact_id', '=', id)
      .execute();
  },
});
