import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { hidesName } from '#app/domain/connections/tool-findings.ts';
import { AppError } from '#app/domain/errors.ts';
import type { ConnectionRow, Done } from '#app/engine/connections/connection-row.ts';

type Shown = { id: string; fingerprint: string };

/** Those of the shown capabilities that are still so, without those whose names hide something. */
export async function readShown(db: Db, connectionId: string, shown: readonly Shown[]) {
  if (shown.length === 0) return [];
  const rows = await db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', connectionId)
    .where(
      'id',
      'in',
      shown.map(({ id }) => id),
    )
    .where('removed_at', 'is', null)
    .select(['id', 'name', 'definition', 'fingerprint', 'approved_fingerprint as approvedBefore'])
    .execute();
  const asShown = new Map(shown.map(({ id, fingerprint }) => [id, fingerprint]));
  return rows.filter((row) => asShown.get(row.id) === row.fingerprint && !hidesName(row.definition));
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
 * Approves capabilities exactly as they were shown. Those that changed meanwhile, and those whose names hide something, are left alone and
 * counted.
 * @throws AppError `conflict` when none is as it was shown
 */
export async function approveCapabilities(
  db: Db,
  connection: ConnectionRow,
  shown: readonly Shown[],
  { approverId, at }: { approverId: string; at: Date },
): Promise<Done<{ approved: number; missed: number }, 'capability.approved'>> {
  const approved: { [key: string]: Json }[] = [];
  for (const { id, fingerprint } of shown) {
    const row = await db
      .selectFrom('quorate.capabilities')
      .where('id', '=', id)
      .where('connection_id', '=', connection.id)
      .where('fingerprint', '=', fingerprint)
      .where('removed_at', 'is', null)
      .select(['name', 'definition'])
      .executeTakeFirst();
    if (row === undefined || hidesName(row.definition)) continue;
    const { numUpdatedRows } = await db
      .updateTable('quorate.capabilities')
      .set({
        approved_fingerprint: fingerprint,
        approved_definition: JSON.stringify(row.definition),
        approved_by: approverId,
        approved_at: at,
      })
      .where('id', '=', id)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) approved.push({ name: row.name, fingerprint });
  }
  if (approved.length === 0) throw new AppError('conflict');
  return {
    result: { approved: approved.length, missed: shown.length - approved.length },
    event: {
      action: 'capability.approved',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { capabilities: approved },
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
