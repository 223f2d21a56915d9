import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import type { EventOf } from '#app/engine/commands/command.ts';

/** The row of a changed connection, and the event to record. */
export type Done<T, Action extends AuditAction> = { result: T; event: EventOf<Action> };

export type ConnectionRow = { id: string; name: string; workspaceId: string };

/** The context under which a connection's token is sealed, so that it opens for no other row. */
export const credentialContext = (connectionId: string) => `connections/${connectionId}`;

export type ConnectionChange = Partial<{
  status: 'connected' | 'error' | 'disconnected';
  protocol_version: string;
  last_check_at: Date;
  last_error: string | null;
  personal_data_allowed: boolean;
  idempotent: boolean;
  sealed_credential: Uint8Array | null;
  settings: string;
  deleted_at: Date;
  paused_at: Date | null;
  updated_at: Date;
}>;

/** @throws AppError `not_found` when it is gone, or the member may not change it */
export async function updateConnection(db: Db, id: string, change: ConnectionChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('quorate.connections')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError('not_found');
}
