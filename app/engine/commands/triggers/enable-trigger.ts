import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { nextTime, parseCron } from '#app/domain/workflows/cron.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { scheduleSettingsSchema } from '#app/engine/triggers/run-schedules.ts';

/** Pauses or resumes a trigger. Missed times are not made up for: a resumed schedule waits for its next time. */
export const enableTrigger = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ trigger: z.uuid(), enabled: z.boolean() }),
  actions: ['trigger.resumed', 'trigger.paused'],
  changes: ['quorate.triggers'],
  repeat: 'overwrites',
  async change({ db, now }, { trigger: id, enabled }) {
    const row = await db
      .selectFrom('quorate.triggers')
      .where('id', '=', id)
      .where('kind', 'in', ['schedule', 'webhook'])
      .select(['name', 'settings'])
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    const settings = scheduleSettingsSchema.safeParse(row.settings).data;
    const cron = settings === undefined ? null : parseCron(settings.cron);
    const nextAt = enabled && cron !== null && settings !== undefined ? nextTime(cron, settings.timeZone, now()) : null;
    await db.updateTable('quorate.triggers').set({ enabled, next_at: nextAt, last_refusal: null }).where('id', '=', id).execute();
    const resource = { kind: 'trigger', id, name: row.name };
    return { result: null, event: { action: enabled ? 'trigger.resumed' : 'trigger.paused', resource } };
  },
});
