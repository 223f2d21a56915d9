import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { type GroupRoles, groupRolesSchema } from '#app/domain/people/company-sign-in.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets which roles each group of the directory gives. A role that a group gives follows the groups from the next sign-in on. Another person
 * agrees where there is one (result `requested`). AppError `conflict` where it is so already.
 */
export const setGroupRoles = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ groups: groupRolesSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.group_roles'],
  repeat: 'refused',
  weakens: ['workspace_groups'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { groups, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const rows = await db.selectFrom('quorate.group_roles').selectAll().where('workspace_id', '=', id).execute();
    const before = { groups: Object.fromEntries(rows.map((row) => [row.group_name, row.roles])) };
    const after = { groups };
    if (sorted(before.groups) === sorted(groups)) throw new AppError('conflict');
    const resource = { id, name: principal.workspace.name };
    if (await secondPersonAgrees(db))
      return requestControlChange(call, 'change.requested', { kind: 'workspace_groups', resource, before, after, reason });
    await db.deleteFrom('quorate.group_roles').where('workspace_id', '=', id).execute();
    const wanted = Object.entries(groups).map(([group_name, roles]) => ({ workspace_id: id, group_name, roles }));
    if (wanted.length > 0) await db.insertInto('quorate.group_roles').values(wanted).execute();
    return {
      result: { state: 'done' },
      event: {
        action: 'workspace.configured',
        resource: { kind: 'workspace', ...resource },
        payload: { from: before, to: after, separated: false, reason },
      },
    };
  },
});

const sorted = (groups: GroupRoles) =>
  JSON.stringify(
    Object.entries(groups)
      .map(([name, roles]) => [name, roles.toSorted()] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
