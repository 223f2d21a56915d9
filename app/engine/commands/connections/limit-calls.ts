import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Sets how many calls a connection takes at once and a minute; null: any number. Holds from the next call on, in runs under way too. */
export const limitCalls = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({
    connection: idSchema,
    atOnce: z.number().int().min(1).max(9_999).nullable(),
    aMinute: z.number().int().min(1).max(99_999).nullable(),
  }),
  actions: ['connection.limited'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  async change({ db, now }, { connection, atOnce, aMinute }) {
    const before = await db
      .selectFrom('quorate.connections')
      .where('id', '=', connection)
      .where('deleted_at', 'is', null)
      .select(['calls_at_once as atOnce', 'calls_a_minute as aMinute'])
      .executeTakeFirst();
    const row = await db
      .updateTable('quorate.connections')
      .set({ calls_at_once: atOnce, calls_a_minute: aMinute, updated_at: now() })
      .where('id', '=', connection)
      .where('deleted_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (before === undefined || row === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'connection.limited',
        resource: { kind: 'connection', id: row.id, name: row.name },
        payload: { from: before, to: { atOnce, aMinute } },
      },
    };
  },
});
