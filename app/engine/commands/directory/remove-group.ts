import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { lockDirectory } from '#app/engine/directory/lock-directory.ts';
import { findGroup } from '#app/engine/directory/read-directory.ts';
import { settleMembers } from '#app/engine/directory/settle-people.ts';

/** Removes a group. Its people stay, without the roles that it gave them. */
export const removeGroup = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['directory.groupRemoved'],
  changes: ['quorate.directory_groups'],
  repeat: 'refused',
  async change({ db, principal }, { id }) {
    await lockDirectory(db);
    const group = await findGroup(db, principal.workspace.id, id, true);
    if (group === null) throw new AppError('not_found');
    await db.deleteFrom('quorate.directory_groups').where('id', '=', id).execute();
    const memberships = await settleMembers(db, principal.workspace.id, group.members);
    const resource = { kind: 'directoryGroup', id, name: group.displayName };
    return { result: null, event: { action: 'directory.groupRemoved', resource, payload: { removed: group.members.length, memberships } } };
  },
});
