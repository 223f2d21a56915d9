import { sql } from 'kysely';
import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { type ChangedTask, changeTask } from '#app/engine/commands/runs/human-task-refusals.ts';

const PASS_REASON_MAX_CHARACTERS = 500;

/**
 * Passes a form on to another member, with a reason that stands on its page: whoever may fill it in, and an admin. Where it was asked of a
 * role, the other one has that role. @throws AppError not_found; forbidden; conflict when it is closed; invalid_input for who may not get it
 */
export const passHumanTask = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ task: idSchema, to: idSchema, reason: z.string().trim().min(1).max(PASS_REASON_MAX_CHARACTERS) }),
  actions: ['humanTask.passed'],
  changes: ['quorate.human_tasks'],
  repeat: 'repeats',
  async change({ db }, { task: id, to, reason }) {
    const { runId, step, workflow } = await changeTask(() =>
      sql<{ a: ChangedTask }>`select quorate.pass_human_task(${id}, ${to}, ${reason}) as a`.execute(db),
    );
    const payload = { task: id, step, to };
    return { result: null, event: { action: 'humanTask.passed', resource: { kind: 'run', id: runId, name: workflow }, payload } };
  },
});
