import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { approveCapabilities, holdShown, reviewOfTools } from '#app/engine/connections/approve-capabilities.ts';
import { CONTROL_REFUSALS, type ControlOutcome, requestControlChange } from '#app/engine/control/request-control-change.ts';

type Approved = { missed: number } & ControlOutcome<'done'>;

/**
 * Approves tools, skills or models exactly as they were shown. Those that have changed since are left alone and counted. Where one of them
 * has effects and the workspace asks for a review, all wait for another person (result `requested`).
 */
export const approveOffered = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({
    connection: connectionSchema,
    shown: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
    reason: z.string().max(CONTROL_REASON_MAX).default(''),
  }),
  actions: ['capability.approved', 'change.requested'],
  changes: ['quorate.capabilities'],
  repeat: 'overwrites',
  weakens: ['connection_approve'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { connection, shown, reason },
  ): Promise<{ result: Approved; event: EventOf<'capability.approved' | 'change.requested'> }> {
    const { db, principal, now } = call;
    const held = await holdShown(db, connection.id, shown);
    const { rows } = held;
    const review = await reviewOfTools(
      db,
      rows.map(({ id }) => id),
    );
    if (review === 'needed') {
      const before = { approved: Object.fromEntries(rows.map(({ id, approvedBefore }) => [id, approvedBefore])) };
      const after = { approved: Object.fromEntries(rows.map(({ id, fingerprint }) => [id, fingerprint])) };
      const asked = await requestControlChange(call, 'change.requested', {
        kind: 'connection_approve',
        resource: connection,
        before,
        after,
        reason,
      });
      return { result: { ...asked.result, missed: held.missed }, event: asked.event };
    }
    const { result, event } = await approveCapabilities(db, { ...connection, workspaceId: principal.workspace.id }, held, {
      approverId: principal.userId,
      at: now(),
    });
    const payload = { ...event.payload, ...(review === 'alone' && { separated: false, reason }) };
    return { result: { state: 'done', missed: result.missed }, event: { ...event, payload } };
  },
});
