import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { deleteArtifact } from '#app/engine/commands/workflows/artifact-states.ts';

/** Deletes an agent softly: its runs and their proof stay. Steps that use it are refused from now on. */
export const deleteAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema }),
  actions: ['agent.deleted'],
  changes: ['quorate.artifacts'],
  repeat: 'refused',
  async change(call, { agent }) {
    const row = await deleteArtifact(call, 'agent', agent);
    return { result: null, event: { action: 'agent.deleted', resource: { kind: 'agent', id: row.id, name: row.name } } };
  },
});
