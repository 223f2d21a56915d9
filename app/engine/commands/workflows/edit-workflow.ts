import { z } from 'zod';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadDraft, saveDraft } from '#app/engine/workflows/drafts.ts';
import { settlePins } from '#app/engine/workflows/settle-pins.ts';

/**
 * Puts the next state of a workflow in the place of its draft, over the revision that was seen. `about` renames it and limits its runs at once; `how` is what the log
 * says of the edit. Returns the names of the steps whose pinned output is gone with them.
 */
export const editWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: 'workflows:write',
  input: z.object({
    workflow: idSchema,
    revision: z.number().int().min(0),
    document: workflowDocumentSchema,
    about: z.object({ name: z.string(), description: z.string(), runs_at_once: z.number().int().min(1).nullable() }).optional(),
    how: z.record(z.string(), z.json()),
  }),
  actions: ['workflow.edited'],
  changes: ['quorate.artifacts', 'quorate.drafts', 'quorate.step_pins'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChanged' }] } },
  async change({ db, principal, now }, { workflow, revision, document, about, how }) {
    const { id, name, document: before } = await loadDraft(db, workflow);
    const state = { document, ...(about === undefined ? {} : { about }) };
    await saveDraft(db, { artifactId: id, expectedRevision: revision, ...state, authorId: principal.userId, now: now() });
    const unpinned = await settlePins(db, id, before, document);
    const payload = unpinned.length === 0 ? how : { ...how, unpinned };
    return { result: { unpinned }, event: { action: 'workflow.edited', resource: { kind: 'workflow', id, name }, payload } };
  },
});
