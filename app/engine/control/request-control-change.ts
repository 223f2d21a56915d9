import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { ControlKind } from '#app/contracts/statuses.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import type { ControlState, ControlSubject } from '#app/domain/control/control-subject.ts';
import { refusal } from '#app/domain/refusal.ts';
import type { CommandCall, EventOf } from '#app/engine/commands/command.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

/** How long a control change may wait for another person; then it has to be asked for again. */
export const CONTROL_TIMEOUT_MS = 7 * 86_400_000;

/** Failures of a request: it waits already, or what it would change is not so any more. */
export const CONTROL_REFUSALS = {
  [UNIQUE_VIOLATION]: { code: 'conflict', reasons: [{ key: 'changeWaitsAlready' }] },
  QP006: { code: 'conflict', reasons: [{ key: 'changedMeanwhile' }] },
} as const;

/** Whether this person's control changes need another person, by the people of the last seven days. */
export async function secondPersonAgrees(db: Db): Promise<boolean> {
  const { rows } = await sql<{ agrees: boolean }>`select quorate.second_person_agrees() as agrees`.execute(db);
  // without an answer nobody acts alone
  return rows[0]?.agrees !== false;
}

/** Whether another person agrees first to a member's change from these roles to those. */
export async function rolesNeedSecondPerson(
  { db, principal }: CommandCall,
  userId: string,
  before: readonly Role[],
  after: readonly Role[],
) {
  const { rows } = await sql<{ needs: boolean }>`
    select quorate.roles_need_second_person(${principal.workspace.id}, ${userId}, ${[...before]}::text[], ${[...after]}::text[]) as needs`.execute(
    db,
  );
  // without an answer nobody acts alone
  return rows[0]?.needs !== false;
}

/** The result of a command that another person may have to agree to: done at once, or asked for: `asked` is the id of the change that waits. */
export type ControlOutcome<Done extends string> = { state: Done } | { state: 'requested'; asked: string };

export type AskedChange = {
  kind: ControlKind;
  resource: { id: string; name: string };
  before: ControlState;
  after: ControlState | null;
  reason: string;
  /** The secret of which `after` has a digest; kept apart until the change is made, and gone then. */
  secret?: Uint8Array;
};

/**
 * Asks another person to agree to a change as it stands, in the transaction of whoever would otherwise make it: an admin, the builder of a
 * version, an approver of tools. The agreement makes the change.
 * @throws Refusal `invalid_input` beside the field `reason`, without a reason
 */
export async function requestControlChange<Action extends 'change.requested' | 'member.rolesRequested'>(
  { db, principal, newId, now }: CommandCall,
  action: Action,
  { kind, resource, before, after, reason, secret }: AskedChange,
): Promise<{ result: { state: 'requested'; asked: string }; event: EventOf<Action> }> {
  if (reason.trim() === '') throw refusal('invalid_input', 'changeReason', { field: 'reason' });
  const subject: ControlSubject = { kind, workspace: principal.workspace.id, resource: resource.id, before, after, reason };
  const text = canonicalJson(subject);
  const id = newId();
  const due = new Date(now().getTime() + CONTROL_TIMEOUT_MS);
  await sql`select quorate.request_control_change(${id}, ${text}::json, ${due}, ${secret ?? null})`.execute(db);
  const digest = createHash('sha256').update(text).digest('hex');
  return {
    result: { state: 'requested', asked: id },
    event: {
      action,
      resource: resourceOfChange({ id, kind, resource }),
      payload: { change: id, kind, resource: resource.id, before, after, reason, digest },
    },
  };
}

/** The resource of the events about a change. One of a member's is the member's, so that erasure finds their name. */
export const resourceOfChange = ({ id, kind, resource }: { id: string; kind: ControlKind; resource: { id: string; name: string } }) =>
  kind.startsWith('member_') ? { kind: 'member', ...resource } : { kind: 'change', id, name: resource.name };
