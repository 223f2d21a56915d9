import { sql } from 'kysely';
import { z } from 'zod';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** After so long without the dashboard the next time is another visit. */
export const VISIT_ENDS_MINUTES = 30;

/** Notes that the member has the dashboard open. The first time of a visit also keeps when the one before it ended. */
export const noteVisit = definePersonalCommand({
  input: z.object({ workspace: idSchema }),
  changes: ['quorate.member_settings'],
  repeat: 'overwrites',
  async change({ db, userId, now }, { workspace }) {
    const at = now();
    const over = new Date(at.getTime() - VISIT_ENDS_MINUTES * 60_000);
    await db
      .insertInto('quorate.member_settings')
      .values({ workspace_id: workspace, user_id: userId, here_at: at })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'user_id']).doUpdateSet({
          since_at: sql`case when member_settings.here_at <= ${over} then member_settings.here_at else member_settings.since_at end`,
          here_at: at,
        }),
      )
      .execute();
  },
});
