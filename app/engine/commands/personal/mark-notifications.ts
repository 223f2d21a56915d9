import { sql } from 'kysely';
import { z } from 'zod';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** Marks one notification as read or unread, or as read all up to the one that was shown last. */
export const markNotifications = definePersonalCommand({
  input: z.object({ workspace: idSchema, mark: z.enum(['read', 'unread']), id: z.string().optional(), until: z.string().optional() }),
  changes: ['quorate.notifications'],
  repeat: 'overwrites',
  async change({ db, userId, now }, { workspace, mark, id, until }) {
    const update = db
      .updateTable('quorate.notifications')
      .set({ read_at: mark === 'read' ? now() : null })
      .where('user_id', '=', userId)
      .where('workspace_id', '=', workspace)
      .where('read_at', mark === 'read' ? 'is' : 'is not', null);
    if (id !== undefined) await update.where('id', '=', id).execute();
    else if (until !== undefined && mark === 'read')
      await update
        .where(sql<boolean>`(created_at, id) <= (select u.created_at, u.id from quorate.notifications u where u.id = ${until}::uuid)`)
        .execute();
  },
});
