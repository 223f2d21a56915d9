import type { z } from 'zod';
import type { Principal } from '#app/contracts/principals.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { changeRoles } from '#app/engine/commands/members/change-roles.ts';
import { SECOND_PERSON } from '#app/engine/commands/members/member-states.ts';
import { requestRoles } from '#app/engine/commands/members/request-roles.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { isSqlState } from '#app/engine/sql-state.ts';

/** Changes a member's roles, or asks a second person where the database wants one: in a transaction of its own, as the first is undone. */
export async function giveRoles(
  principal: Principal,
  deps: CommandDeps,
  input: z.input<typeof changeRoles.input>,
): Promise<'changed' | 'requested'> {
  try {
    await perform(changeRoles, principal, deps, input);
    return 'changed';
  } catch (error) {
    if (!isSqlState(error, SECOND_PERSON)) throw error;
    await perform(requestRoles, principal, deps, input);
    return 'requested';
  }
}
