import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { EvidenceExport } from '#app/domain/control/evidence-export-schema.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

/**
 * Takes one file of an export out, in the transaction that records it, by the rules of `quorate.take_evidence`. Returns the change by which
 * another person agreed; null where nobody else could. Refused with SQLSTATE QP005.
 */
export async function takeFile(db: Db, exported: EvidenceExport, file: string): Promise<string | null> {
  const { rows } = await sql<{ change: string | null }>`
    select quorate.take_evidence(${JSON.stringify(exported)}::jsonb, ${file}) as change`.execute(db);
  return rows[0]?.change ?? null;
}

export type ExportState =
  /** Nobody else could agree. */
  | { state: 'alone' }
  | { state: 'ask' }
  | { state: 'waiting'; change: string; dueAt: string }
  /** `endsAt`: ISO 8601; `taken`: the files that have left. */
  | { state: 'granted'; change: string; endsAt: string; taken: string[] };

/** How far this member is with taking an export out. A permission counts before what still waits. */
export async function readExportState(db: Db, userId: string, exported: EvidenceExport): Promise<ExportState> {
  const asked = JSON.stringify({ ...exported, by: userId });
  const { rows } = await sql<{ change: string; ends_at: Date; taken: string[] }>`
    select g.change_id as change, g.ends_at, g.taken from quorate.evidence_grants g
    where g.workspace_id = quorate.current_workspace_id() and g.user_id = ${userId}::uuid and g.export = ${asked}::jsonb
      and g.ends_at > clock_timestamp() order by g.granted_at limit 1`.execute(db);
  const [grant] = rows;
  if (grant !== undefined) return { state: 'granted', change: grant.change, endsAt: grant.ends_at.toISOString(), taken: grant.taken };
  if (!(await secondPersonAgrees(db))) return { state: 'alone' };
  const waiting = await sql<{ id: string; due_at: Date }>`
    select c.id, c.due_at from quorate.control_changes c
    where c.workspace_id = quorate.current_workspace_id() and c.kind = 'evidence_export' and c.status = 'pending'
      and c.requested_by = ${userId}::uuid and (c.subject #> '{after,export}')::jsonb = ${asked}::jsonb limit 1`.execute(db);
  const [open] = waiting.rows;
  return open === undefined ? { state: 'ask' } : { state: 'waiting', change: open.id, dueAt: open.due_at.toISOString() };
}
