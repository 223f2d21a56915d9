import { AppError } from '#app/domain/errors.ts';
import { refusal } from '#app/domain/refusal.ts';
import { nextTime, parseCron } from '#app/domain/workflows/cron.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { newTriggerSchema, requireFewTriggers, requirePublished } from '#app/engine/commands/triggers/new-trigger.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';
import { scheduleSettingsSchema } from '#app/engine/triggers/run-schedules.ts';

/** Makes a schedule of a published workflow; its first time is the next after now. */
export const createSchedule = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: newTriggerSchema.extend({ settings: scheduleSettingsSchema }),
  actions: ['trigger.created'],
  changes: ['quorate.triggers'],
  repeat: 'byId',
  async change(call, { id, name, workflow, settings }) {
    const { db, principal, now } = call;
    const { cron, timeZone, input } = settings;
    const times = parseCron(cron);
    if (times === null) throw new AppError('invalid_input');
    const checked = checkRunInput(await requirePublished(call, workflow), input);
    if (!checked.ok) {
      const fields = checked.issues.map(({ field }) => field).join(', ');
      throw refusal('invalid_input', 'runInput', { field: 'input', values: { fields } });
    }
    await requireFewTriggers(call);
    await db
      .insertInto('quorate.triggers')
      .values({
        id,
        workspace_id: principal.workspace.id,
        artifact_id: workflow,
        kind: 'schedule',
        name,
        settings: JSON.stringify(settings),
        next_at: nextTime(times, timeZone, now()),
        created_by: principal.userId,
      })
      .execute();
    const payload = { kind: 'schedule', workflow, cron, timeZone };
    return { result: { id }, event: { action: 'trigger.created', resource: { kind: 'trigger', id, name }, payload } };
  },
});
