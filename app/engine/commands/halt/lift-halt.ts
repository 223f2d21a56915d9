import { z } from 'zod';
import { countOtherApprovers, requestRelease } from '#app/engine/approvals/request-release.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { releaseWorkspace } from '#app/engine/runs/halt-workspace.ts';

/** Asks the approvers to lift the halt, or lifts it where nobody else could approve that, which its event says. `title` is what the approval is called. */
export const liftHalt = defineCommand({
  permission: 'halt',
  scope: null,
  input: z.object({ reason: z.string().max(500), title: z.string() }),
  actions: ['approval.requested', 'workspace.released'],
  changes: ['quorate.workspaces', 'quorate.approvals'],
  repeat: 'refused',
  weakens: ['halt_lift'],
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'releasedAlready' }] } },
  async change({ db, principal, engine, newId, now }, { reason, title }) {
    const workspaceId = principal.workspace.id;
    if ((await countOtherApprovers(db)) === 0) {
      const event = await releaseWorkspace(db, engine, { workspaceId, reason });
      return { result: 'released' as const, event: { ...event, payload: { ...event.payload, separated: false } } };
    }
    const question = { approvalId: newId(), workspaceId, title, reason, requester: principal.name, now: now() };
    return { result: 'requested' as const, event: await requestRelease(db, question) };
  },
});
