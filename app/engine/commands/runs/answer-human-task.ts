import { sql } from 'kysely';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { AppError } from '#app/domain/errors.ts';
import { inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { type ChangedTask, changeTask } from '#app/engine/commands/runs/human-task-refusals.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';

/**
 * Answers a task of a run, for who is asked; the run continues with it. The log has the digest of the answer, which is the output of the step.
 * @throws AppError not_found; forbidden; conflict when it is closed; invalid_input
 */
export const answerHumanTask = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ task: idSchema, answer: z.record(z.string(), z.json()) }),
  actions: ['humanTask.answered'],
  changes: ['quorate.human_tasks'],
  repeat: 'refused',
  async change({ db, engine, principal }, { task: id, answer }) {
    const task = await db.selectFrom('quorate.human_tasks').where('id', '=', id).select('fields').executeTakeFirst();
    if (task === undefined) throw new AppError('not_found');
    const input = z.array(inputFieldSchema).parse(task.fields);
    const checked = checkRunInput({ ...EMPTY_WORKFLOW, input }, answer as { [name: string]: Json });
    if (!checked.ok) throw new AppError('invalid_input', { values: { fields: checked.issues.map(({ field }) => field).join(', ') } });
    const { runId, step, workflow } = await changeTask(() =>
      sql<{ a: ChangedTask }>`select quorate.answer_human_task(${id}, ${JSON.stringify(checked.value)}::json) as a`.execute(db),
    );
    await engine.enqueueRun(db, { id: runId, workspaceId: principal.workspace.id });
    const payload = { task: id, step, answerDigest: digestOf(checked.value) };
    return { result: null, event: { action: 'humanTask.answered', resource: { kind: 'run', id: runId, name: workflow }, payload } };
  },
});
