import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadDraft, stepDraft } from '#app/engine/workflows/drafts.ts';
import { settlePins } from '#app/engine/workflows/settle-pins.ts';

/** Takes a workflow's draft one saved state back or forth. Returns the names of the steps whose pinned output is gone with them. */
export const stepThroughDrafts = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, revision: z.number().int().min(0), direction: z.enum(['undo', 'redo']) }),
  actions: ['workflow.draftRestored'],
  changes: ['quorate.artifacts', 'quorate.step_pins'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChanged' }] } },
  async change({ db, now }, { workflow, revision: seen, direction }) {
    const draft = await loadDraft(db, workflow);
    if (draft.revision !== seen) throw new AppError('conflict');
    const revision = await stepDraft(db, { artifactId: draft.id, expectedRevision: seen, direction, now: now() });
    const { document } = await loadDraft(db, draft.id);
    const unpinned = await settlePins(db, draft.id, draft.document, document);
    return {
      result: { unpinned },
      event: {
        action: 'workflow.draftRestored',
        resource: { kind: 'workflow', id: draft.id, name: draft.name },
        payload: { move: direction, step: null, revision, ...(unpinned.length === 0 ? {} : { unpinned }) },
      },
    };
  },
});
