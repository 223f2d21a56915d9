import { z } from 'zod';
import { definePersonalCommand } from '#app/engine/commands/command.ts';

/** Deletes one of one's saved filters. */
export const dropView = definePersonalCommand({
  input: z.object({ view: z.string() }),
  changes: ['quorate.saved_views'],
  repeat: 'overwrites',
  async change({ db, userId }, { view }) {
    await db.deleteFrom('quorate.saved_views').where('id', '=', view).where('user_id', '=', userId).execute();
  },
});
