import { sql } from 'kysely';
import { z } from 'zod';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Keeps one's language and time zone with the account, beside whatever else its preferences hold. Empty: the zone of the browser. */
export const savePreferences = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ language: z.enum(LANGUAGES), timeZone: z.string().max(64) }),
  actions: ['preferences.changed'],
  changes: ['quorate.preferences'],
  repeat: 'overwrites',
  async change({ db, principal, now }, input) {
    const settings = JSON.stringify(input);
    await db
      .insertInto('quorate.preferences')
      .values({ user_id: principal.userId, settings })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ settings: sql`quorate.preferences.settings || ${settings}::jsonb`, updated_at: now() }),
      )
      .execute();
    const { userId: id, name } = principal;
    return { result: null, event: { action: 'preferences.changed', resource: { kind: 'member', id, name } } };
  },
});
