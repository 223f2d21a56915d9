import { randomBytes } from 'node:crypto';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { AuditEventsTable } from '#app/contracts/tables.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

/** The actor. `id` is the member's, the key's, the token's of a directory, or the person's for whom a trigger or worker acts; null: Quorate itself. */
export type AuditActor = { kind: AuditEventsTable['actor_kind']; id: string | null; name: string | null };

/**
 * Writes the one audit event of a change into the change's own transaction (a commit without it is refused, SQLSTATE QA001).
 * The sequencer gives it its place in the workspace's tree afterwards. A payload that has no canonical JSON throws here,
 * where it can still be undone, and not in the sequencer.
 */
export async function recordEvent(db: Db, event: { id: string; actor: AuditActor; workspaceId: string; entry: AuditEntry }): Promise<void> {
  const { id, actor, workspaceId, entry } = event;
  await db
    .insertInto('quorate.audit_events')
    .values({
      id,
      workspace_id: workspaceId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      resource_kind: entry.resource.kind,
      resource_id: entry.resource.id,
      resource_name: entry.resource.name ?? null,
      ...auditBody(entry),
    })
    .execute();
}

/** The salt keeps a body with few possible values from being guessed out of its digest once it is erased. */
export function auditBody({ payload = {} }: { payload?: { [key: string]: Json } }): { payload: string; salt: Buffer } {
  return { payload: canonicalJson(payload), salt: randomBytes(32) };
}
