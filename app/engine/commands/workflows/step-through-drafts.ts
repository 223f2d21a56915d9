import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadDraft, stepDraft } from '#app/engine/workflows/drafts.ts';

/** Continuese saved state of a workflow's draft back or forth. */
export const stepThroughDrafts = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, revision: z.number().int().min(0), direction: z.enum(['undo', 'redo']) }),
  actions: ['workflow.draftRestored'],
  changes: ['quorate.artifacts'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChanged' }] } },
  async change({ db, now }, { workflow, revision: seen, direction }) {
    const draft = await loadDraft(db, workflow);
    if (draft.revision !== seen) throw new AppError('conflict');
    const revision = await stepDraft(db, { artifactId: draft.id, expectedRevision: seen, direction, now: now() });
    return {
      result: null,
      event: {
        action: 'workflow.draftRestored',
        resource: { kind: 'workflow', id: draft.id, name: draft.name },
        payload: { move: direction, step: null, revision },
      },
    };
  },
});
