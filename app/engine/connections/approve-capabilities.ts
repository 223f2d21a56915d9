import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { hidesName } from '#app/domain/connections/tool-findings.ts';
import { AppError } from '#app/domain/errors.ts';
import type { ConnectionRow, Done } from '#app/engine/connections/connection-row.ts';

type Shown = { id: string; fingerprint: string };

/** Capabilities that are held until the transaction ends, exactly as they were shown, and how many of the shown ones are not among them. */
type HeldCapabilities = {
  rows: { id: string; name: string; fingerprint: string; approvedBefore: string | null }[];
  missed: number;
};

/** Holds those of the shown capabilities that are still so, without those whose names hide something. */
export async function holdShown(db: Db, connectionId: string, shown: readonly Shown[]): Promise<HeldCapabilities> {
  if (shown.length === 0) return { rows: [], missed: 0 };
  const found = await db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', connectionId)
    .where(
      'id',
      'in',
      shown.map(({ id }) => id),
    )
    .where('removed_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .select(['id', 'name', 'definition', 'fingerprint', 'approved_fingerprint as approvedBefore'])
    .forUpdate()
    .execute();
  const asShown = new Map(shown.map(({ id, fingerprint }) => [id, fingerprint]));
  const rows = found.filter((row) => asShown.get(row.id) === row.fingerprint && !hidesName(row.definition));
  return { rows, missed: shown.length - rows.length };
}

/** Whether another person agrees to the approval of these capabilities first: the strictest answer of any. */
export async function reviewOfTools(db: Db, ids: readonly string[]): Promise<'needed' | 'alone' | 'none'> {
  const { rows } = await sql<{ review: 'needed' | 'alone' | 'none' }>`
    select quorate.review_of_tool(c.kind, c.connection_id, c.definition::jsonb) as review
    from quorate.capabilities c where c.id = any(${[...ids]}::uuid[])`.execute(db);
  // nobody approves alone what is not found
  if (rows.length < ids.length) return 'needed';
  const found = rows.map(({ review }) => review);
  return found.includes('needed') ? 'needed' : found.includes('alone') ? 'alone' : 'none';
}

/**
 * Approves capabilities as they are held.
 * @throws AppError `conflict` when none is as it was shown, or the member may not write one
 */
export async function approveCapabilities(
  db: Db,
  connection: ConnectionRow,
  { rows, missed }: HeldCapabilities,
  { approverId, at }: { approverId: string; at: Date },
): Promise<Done<{ approved: number; missed: number }, 'capability.approved'>> {
  if (rows.length === 0) throw new AppError('conflict');
  const { numUpdatedRows } = await db
    .updateTable('quorate.capabilities')
    .set({
      approved_fingerprint: sql<string>`fingerprint`,
      approved_definition: sql<string>`definition`,
      approved_by: approverId,
      approved_at: at,
    })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .executeTakeFirst();
  if (Number(numUpdatedRows) !== rows.length) throw new AppError('conflict');
  return {
    result: { approved: rows.length, missed },
    event: {
      action: 'capability.approved',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { capabilities: rows.map(({ name, fingerprint }) => ({ name, fingerprint })) },
    },
  };
}

/** Takes an approval back: the capability waits again. */
export async function withdrawCapability(
  db: Db,
  connection: ConnectionRow,
  capabilityId: string,
): Promise<Done<null, 'capability.withdrawn'>> {
  const row = await db
    .updateTable('quorate.capabilities')
    .set({ approved_fingerprint: null, approved_definition: null, approved_by: null, approved_at: null })
    .where('id', '=', capabilityId)
    .where('connection_id', '=', connection.id)
    .where('approved_fingerprint', 'is not', null)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conflict');
  return {
    result: null,
    event: {
      action: 'capability.withdrawn',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { capability: row.name },
    },
  };
}
