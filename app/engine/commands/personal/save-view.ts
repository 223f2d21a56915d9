import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** Of one person in one workspace and area. */
export const MOST_VIEWS = 50;

/** Keeps a filter of a list under a name. */
export const saveView = definePersonalCommand({
  input: z.object({ workspace: idSchema, area: z.string(), name: z.string(), query: z.string(), shared: z.boolean() }),
  changes: ['quorate.saved_views'],
  repeat: 'repeats',
  async change({ db, userId, newId }, { workspace, area, name, query, shared }) {
    const kept = await db
      .selectFrom('quorate.saved_views')
      .select('id')
      .where('user_id', '=', userId)
      .where('workspace_id', '=', workspace)
      .where('area', '=', area)
      .limit(MOST_VIEWS)
      .execute();
    if (kept.length >= MOST_VIEWS) throw refusal('invalid_input', 'tooManyViews', { values: { maximum: MOST_VIEWS } });
    await db
      .insertInto('quorate.saved_views')
      .values({ id: newId(), workspace_id: workspace, user_id: userId, area, name, query, shared })
      .execute();
  },
});
