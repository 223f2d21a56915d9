import type { Selectable } from 'kysely';
import type { AuditEventsTable } from '#app/contracts/tables.ts';
import type { AuditBody } from '#app/domain/audit/audit-leaf.ts';

/** The part of an event's row that its body digest covers. */
export function auditBodyOf(row: Selectable<AuditEventsTable>): AuditBody {
  return {
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
    payload: row.payload,
  };
}
