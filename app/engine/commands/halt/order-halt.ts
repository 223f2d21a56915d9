import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { haltWorkspace } from '#app/engine/runs/halt-workspace.ts';

/** Emergency stop of the workspace: no step starts once it has committed, by any path of entry. */
export const orderHalt = defineCommand({
  permission: 'halt',
  scope: null,
  input: z.object({ reason: z.string().max(500) }),
  actions: ['workspace.halted'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'haltedAlready' }] } },
  async change({ db, principal, now }, { reason }) {
    const event = await haltWorkspace(db, { workspaceId: principal.workspace.id, memberId: principal.userId, now: now(), reason });
    return { result: null, event };
  },
});
