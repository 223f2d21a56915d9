import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { deleteArtifact } from '#app/engine/commands/workflows/artifact-states.ts';

/** Deletes a gateway softly: its address is free again, its runs and their proof stay. */
export const deleteGateway = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: z.object({ gateway: idSchema }),
  actions: ['gateway.deleted'],
  changes: ['quorate.artifacts', 'quorate.gateways'],
  repeat: 'refused',
  async change(call, { gateway }) {
    const row = await deleteArtifact(call, 'gateway', gateway);
    await call.db.deleteFrom('quorate.gateways').where('artifact_id', '=', gateway).execute();
    return { result: null, event: { action: 'gateway.deleted', resource: { kind: 'gateway', id: row.id, name: row.name } } };
  },
});
