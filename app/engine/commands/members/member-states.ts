import type { Role } from '#app/contracts/people.ts';
import { AppError } from '#app/domain/errors.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';

/** SQLSTATE of the trigger that keeps one admin. */
export const LAST_ADMIN = 'QM001';

/** A member of the workspace as they are now. @throws AppError not_found */
export async function readMember({ db, principal }: CommandCall, userId: string): Promise<{ name: string; roles: Role[] }> {
  const row = await db
    .selectFrom('quorate.members')
    .select(['name', 'roles'])
    .where('workspace_id', '=', principal.workspace.id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}
