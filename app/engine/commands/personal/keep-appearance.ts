import { sql } from 'kysely';
import { z } from 'zod';
import type { Appearance } from '#app/domain/people/appearance.ts';
import { definePersonalCommand } from '#app/engine/commands/command.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** Keeps `chosen` with the account, beside whatever else its preferences hold; all of `appearance` where it has kept nothing yet. */
export const keepAppearance = definePersonalCommand({
  input: z.object({ appearance: z.custom<Appearance>(isObject), chosen: z.custom<Partial<Appearance>>(isObject) }),
  changes: ['quorate.preferences'],
  repeat: 'overwrites',
  async change({ db, userId }, { appearance, chosen }) {
    await db
      .insertInto('quorate.preferences')
      .values({ user_id: userId, settings: JSON.stringify({ appearance }) })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          settings: sql`preferences.settings || jsonb_build_object('appearance',
            coalesce(preferences.settings -> 'appearance', excluded.settings -> 'appearance') || ${JSON.stringify(chosen)}::jsonb)`,
          updated_at: sql`now()`,
        }),
      )
      .execute();
  },
});
