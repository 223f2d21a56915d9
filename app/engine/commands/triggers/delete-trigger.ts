import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Deletes a trigger for good. Its runs stay. */
export const deleteTrigger = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ trigger: idSchema }),
  actions: ['trigger.deleted'],
  changes: ['quorate.triggers'],
  repeat: 'refused',
  async change({ db }, { trigger }) {
    const deleted = await db
      .deleteFrom('quorate.triggers')
      .where('id', '=', trigger)
      .where('kind', 'in', ['schedule', 'webhook'])
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (deleted === undefined) throw new AppError('not_found');
    return { result: null, event: { action: 'trigger.deleted', resource: { kind: 'trigger', ...deleted } } };
  },
});
