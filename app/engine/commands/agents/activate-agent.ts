import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { setActive } from '#app/engine/commands/workflows/artifact-states.ts';

/** Pauses or resumes an agent. Paused, it starts nothing more, in runs under way too: a step's start depends on it. */
export const activateAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema, active: z.boolean() }),
  actions: ['agent.resumed', 'agent.paused'],
  changes: ['quorate.artifacts'],
  repeat: 'overwrites',
  async change(call, { agent, active }) {
    const row = await setActive(call, 'agent', agent, active);
    return {
      result: null,
      event: { action: active ? 'agent.resumed' : 'agent.paused', resource: { kind: 'agent', id: row.id, name: row.name } },
    };
  },
});
