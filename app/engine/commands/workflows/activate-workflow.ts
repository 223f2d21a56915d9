import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { setActive } from '#app/engine/commands/workflows/artifact-states.ts';

/** Pauses or resumes a workflow. Paused, its triggers stop, and runs under way finish. */
export const activateWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema, active: z.boolean() }),
  actions: ['workflow.resumed', 'workflow.paused'],
  changes: ['quorate.artifacts'],
  repeat: 'overwrites',
  async change(call, { workflow, active }) {
    const row = await setActive(call, 'workflow', workflow, active);
    return {
      result: null,
      event: { action: active ? 'workflow.resumed' : 'workflow.paused', resource: { kind: 'workflow', id: row.id, name: row.name } },
    };
  },
});
