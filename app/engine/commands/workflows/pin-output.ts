import { sql } from 'kysely';
import { z } from 'zod';
import { runTrialSchema } from '#app/contracts/run-trial.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';

/**
 * Pins the output of a completed test of a step, in place of an earlier one: data for previews and tests of the draft. Live runs cannot read it.
 * @throws AppError not_found
 */
export const pinOutput = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, run: z.uuid() }),
  actions: ['workflow.outputPinned'],
  changes: ['quorate.step_pins'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { workflow, run: runId }) {
    const { id, name } = await loadDraft(db, workflow);
    const run = await db
      .selectFrom('quorate.runs')
      .where('id', '=', runId)
      .where('artifact_id', '=', id)
      .where('status', '=', 'completed')
      .where(sql<boolean>`trial ->> 'kind' = 'step'`)
      .select(['output', 'trial'])
      .executeTakeFirst();
    const step = run === undefined ? undefined : runTrialSchema.parse(run.trial).step;
    if (run === undefined || step === undefined) throw new AppError('not_found');
    await db.deleteFrom('quorate.step_pins').where('artifact_id', '=', id).where('step_id', '=', step).execute();
    await db
      .insertInto('quorate.step_pins')
      .values({
        workspace_id: principal.workspace.id,
        artifact_id: id,
        step_id: step,
        output: JSON.stringify(run.output),
        run_id: runId,
        pinned_by: principal.userId,
        pinned_at: now(),
      })
      .execute();
    const payload = { step, run: runId, outputDigest: digestOf(run.output) };
    return { result: null, event: { action: 'workflow.outputPinned', resource: { kind: 'workflow', id, name }, payload } };
  },
});
