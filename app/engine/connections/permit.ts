import type { AuditAction } from '#app/contracts/audit-actions.ts';
import { AppError } from '#app/domain/errors.ts';
import type { CommandCall, EventOf } from '#app/engine/commands/command.ts';
import type { Done } from '#app/engine/connections/connection-row.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { type ControlOutcome, requestControlChange, secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

type Permission = 'personalData' | 'repeats';

/**
 * Permits a connection something, or takes it back by `write`. To permit it waits for another person where there is one (result `requested`);
 * where there is none, the event says that the two were not separated. Not so of what is built in: nothing leaves this process.
 * @throws AppError `not_found` where there is no such connection
 */
export async function permitConnection<Action extends AuditAction>(
  call: CommandCall,
  asked: { connection: { id: string; name: string }; permission: Permission; allowed: boolean; reason: string },
  write: () => Promise<Done<null, Action>>,
): Promise<{ result: ControlOutcome<'done'>; event: EventOf<Action | 'change.requested'> }> {
  const { connection, permission, allowed, reason } = asked;
  const row = await call.db
    .selectFrom('quorate.connections')
    .select(['endpoint', 'personal_data_allowed', 'idempotent'])
    .where('id', '=', connection.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  const before = { personalData: row.personal_data_allowed, repeats: row.idempotent };
  const leaves = !(row.endpoint in BUILTIN_PATHS);
  if (leaves && allowed && !before[permission] && (await secondPersonAgrees(call.db))) {
    const after = { ...before, [permission]: true };
    return requestControlChange(call, 'change.requested', { kind: 'connection_permits', resource: connection, before, after, reason });
  }
  const { event } = await write();
  const payload = { ...event.payload, ...(leaves && allowed && { separated: false, reason }) };
  return { result: { state: 'done' }, event: { ...event, payload } };
}
