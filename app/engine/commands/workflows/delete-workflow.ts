import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { deleteArtifact } from '#app/engine/commands/workflows/artifact-states.ts';

/** Deletes a workflow softly: its runs and their proof stay. */
export const deleteWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema }),
  actions: ['workflow.deleted'],
  changes: ['quorate.artifacts'],
  repeat: 'refused',
  async change(call, { workflow }) {
    const row = await deleteArtifact(call, 'workflow', workflow);
    return { result: null, event: { action: 'workflow.deleted', resource: { kind: 'workflow', id: row.id, name: row.name } } };
  },
});
