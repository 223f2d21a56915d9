import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';

/** Removes the output that was pinned to a step of a draft. @throws AppError not_found where none is */
export const unpinOutput = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, step: z.string().max(40) }),
  actions: ['workflow.outputUnpinned'],
  changes: ['quorate.step_pins'],
  repeat: 'refused',
  async change({ db }, { workflow, step }) {
    const { id, name } = await loadDraft(db, workflow);
    const removed = await db.deleteFrom('quorate.step_pins').where('artifact_id', '=', id).where('step_id', '=', step).executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw new AppError('not_found');
    return { result: null, event: { action: 'workflow.outputUnpinned', resource: { kind: 'workflow', id, name }, payload: { step } } };
  },
});
