import { z } from 'zod';
import type { NotificationSettings } from '#app/domain/people/notifications.ts';
import { definePersonalCommand } from '#app/engine/commands/command.ts';

/** Keeps what one wants to be told, or where one's webhook is, beside whatever else one's preferences hold. */
export const keepNotificationSettings = definePersonalCommand({
  input: z.object({ settings: z.custom<Partial<NotificationSettings>>((value) => typeof value === 'object' && value !== null) }),
  changes: ['quorate.preferences'],
  repeat: 'overwrites',
  async change({ db, userId, now }, { settings }) {
    await db
      .insertInto('quorate.preferences')
      .values({ user_id: userId, settings: JSON.stringify(settings), updated_at: now() })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet((eb) => ({
          settings: eb(eb.ref('quorate.preferences.settings'), '||', eb.ref('excluded.settings')) as never,
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute();
  },
});
