import { sql } from 'kysely';
import { z } from 'zod';
import type { MemberSettings } from '#app/domain/people/member-settings.ts';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** Keeps what a member has set for themselves in a workspace, beside whatever else they have set there. */
export const keepMemberSettings = definePersonalCommand({
  input: z.object({ workspace: idSchema, settings: z.custom<MemberSettings>(isObject) }),
  changes: ['quorate.member_settings'],
  repeat: 'overwrites',
  async change({ db, userId }, { workspace, settings }) {
    await db
      .insertInto('quorate.member_settings')
      .values({ workspace_id: workspace, user_id: userId, settings: JSON.stringify(settings) })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ settings: sql`member_settings.settings || excluded.settings` }),
      )
      .execute();
  },
});
