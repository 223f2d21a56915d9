import { sql } from 'kysely';
import { z } from 'zod';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { asAssignRefused } from '#app/engine/approvals/work/assign-refused.ts';
import { type EventOf, idSchema } from '#app/engine/commands/command.ts';

/** `seen`: the member whose duty the approval was where the caller looked, null for nobody's. Anything else is a conflict. */
export const assignedApproval = z.object({ approval: idSchema, seen: idSchema.nullable() });
type Asked = z.output<typeof assignedApproval>;

/**
 * Makes an approval the duty of `to`, or with null of everyone who may decide, and returns the event that says so.
 * @throws AssignRefused
 */
export async function assignTo<Action extends AuditAction>(
  db: Db,
  action: Action,
  { approval, seen }: Asked,
  to: string | null,
): Promise<EventOf<Action>> {
  const { runId, step, title } = await write(db, approval, to, seen);
  const facts: { [key: string]: Json } = runId === null ? { subject: 'release' } : { run: runId, step };
  const payload = { ...facts, ...(to === null ? {} : { to }), ...(seen === null ? {} : { from: seen }) };
  return { action, resource: { kind: 'approval', id: approval, name: title }, payload };
}

async function write(db: Db, approval: string, to: string | null, seen: string | null) {
  try {
    const { rows } = await sql<{
      a: { runId: string | null; step: string; title: string };
    }>`select quorate.assign_approval(${approval}, ${to}, ${seen}) as a`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('assign_approval answered nothing');
    return row.a;
  } catch (error) {
    throw asAssignRefused(error);
  }
}
