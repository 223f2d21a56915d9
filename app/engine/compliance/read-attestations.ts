import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type Attestation, attestedUntil } from '#app/domain/audit/attestation.ts';
import { CONTROLS, type ControlId } from '#app/domain/audit/compliance.ts';

/** The last attestation of each control before a moment (not included). */
export async function readAttestations(db: Db, workspaceId: string, before: Date): Promise<ReadonlyMap<ControlId, Attestation>> {
  const { rows } = await sql<{ control: string; by: string | null; at: Date; note: string; months: number }>`
    select distinct on (a.control) a.control, m.name as by, a.attested_at as at, a.note, a.months
    from quorate.attestations a left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.attested_by
    where a.workspace_id = ${workspaceId} and a.attested_at < ${before} order by a.control, a.attested_at desc`.execute(db);
  const found = new Map<ControlId, Attestation>();
  for (const { control, by, at, note, months } of rows) {
    const id = CONTROLS.find((known) => known === control);
    if (id !== undefined) found.set(id, { by, at: at.toISOString(), until: attestedUntil(at, months).toISOString(), note, months });
  }
  return found;
}
