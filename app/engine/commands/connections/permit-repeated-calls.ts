import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { allowRepeatedCalls } from '#app/engine/connections/change-connection.ts';
import { permitConnection } from '#app/engine/connections/permit.ts';
import { CONTROL_REFUSALS } from '#app/engine/control/request-control-change.ts';

/**
 * States whether a connection honours the idempotency key, so that a call that writes may be made again. To allow it waits for another
 * person where there is one.
 */
export const permitRepeatedCalls = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({ connection: connectionSchema, allowed: z.boolean(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['connection.repeatAllowed', 'connection.repeatForbidden', 'change.requested'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  weakens: ['connection_permits'],
  refusals: CONTROL_REFUSALS,
  change(call, { connection, allowed, reason }) {
    const { db, principal, now } = call;
    return permitConnection(call, { connection, permission: 'repeats', allowed, reason }, () =>
      allowRepeatedCalls(db, { ...connection, workspaceId: principal.workspace.id }, allowed, now()),
    );
  },
});
