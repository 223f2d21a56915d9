import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { bytesSchema, defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { rotateCredential } from '#app/engine/connections/change-connection.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Puts a new credential, with which the peer has answered, in the place of the old one: where there is another person, when they agree (result
 * `requested`). Whoever needs to be quick pauses the connection.
 */
export const replaceCredential = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({ connection: connectionSchema, sealed: bytesSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['connection.keyRotated', 'change.requested'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  weakens: ['connection_credential'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { connection, sealed, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'connection.keyRotated' | 'change.requested'> }> {
    const { db, principal, now } = call;
    const row = await db
      .selectFrom('quorate.connections')
      .select('sealed_credential')
      .where('id', '=', connection.id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    if (await secondPersonAgrees(db)) {
      const before = { credential: row.sealed_credential === null ? null : digestOf(row.sealed_credential) };
      const after = { credential: digestOf(sealed) };
      const asked = { kind: 'connection_credential', resource: connection, before, after, reason, secret: sealed } as const;
      return requestControlChange(call, 'change.requested', asked);
    }
    const { event } = await rotateCredential(db, { ...connection, workspaceId: principal.workspace.id }, sealed, now());
    return { result: { state: 'done' }, event: { ...event, payload: { ...event.payload, separated: false, reason } } };
  },
});

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
