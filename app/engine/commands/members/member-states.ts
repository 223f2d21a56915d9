import type { Role } from '#app/contracts/people.ts';
import { AppError } from '#app/domain/errors.ts';
import { ROLES_OF_CONTROL } from '#app/domain/people/roles.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';

/** SQLSTATE of the trigger that keeps one admin. */
export const LAST_ADMIN = 'QM001';

/** Whether roles of control are gained, or lost by somebody else: the rule of `quorate.roles_need_second_person`, whoever there is. */
export function movesControl(before: readonly Role[], after: readonly Role[], isOneself: boolean): boolean {
  const gained = after.some((role) => ROLES_OF_CONTROL.includes(role) && !before.includes(role));
  return gained || (!isOneself && before.some((role) => ROLES_OF_CONTROL.includes(role) && !after.includes(role)));
}

/** A member of the workspace as they are now. @throws AppError not_found */
export async function readMember(
  { db, principal }: CommandCall,
  userId: string,
): Promise<{ name: string; roles: Role[]; endsAt: Date | null }> {
  const row = await db
    .selectFrom('quorate.members')
    .select(['name', 'roles', 'ends_at as endsAt'])
    .where('workspace_id', '=', principal.workspace.id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}
