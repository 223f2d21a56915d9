import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { addToGroup } from '#app/engine/directory/group-people.ts';
import { lockDirectory } from '#app/engine/directory/lock-directory.ts';
import { changedNames, groupStateSchema } from '#app/engine/directory/person-values.ts';
import { findGroup } from '#app/engine/directory/read-directory.ts';
import { settleMembers } from '#app/engine/directory/settle-people.ts';

/** Gives a group this name and these people, where it still has the revision that was seen. Their roles follow in the same commit. */
export const changeGroup = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ id: idSchema, revision: z.number().int(), state: groupStateSchema }),
  actions: ['directory.groupChanged'],
  changes: ['quorate.directory_groups', 'quorate.directory_group_people'],
  repeat: 'byRevision',
  async change({ db, principal, now }, { id, revision, state }) {
    const workspaceId = principal.workspace.id;
    await lockDirectory(db);
    const before = await findGroup(db, workspaceId, id, true);
    if (before === null) throw new AppError('not_found');
    if (before.revision !== revision) throw new AppError('conflict');
    const { displayName, externalId, members } = state;
    const [were, are] = [new Set(before.members), new Set(members)];
    const added = members.filter((one) => !were.has(one));
    const removed = before.members.filter((one) => !are.has(one));
    await db
      .updateTable('quorate.directory_groups')
      .set({ display_name: displayName, external_id: externalId, revision: revision + 1, changed_at: now() })
      .where('id', '=', id)
      .execute();
    if (removed.length > 0)
      await db.deleteFrom('quorate.directory_group_people').where('group_id', '=', id).where('person_id', 'in', removed).execute();
    await addToGroup(db, workspaceId, id, added);
    const moved = before.displayName === displayName ? [...added, ...removed] : [...new Set([...before.members, ...members])];
    const memberships = await settleMembers(db, workspaceId, moved);
    const payload = {
      changed: changedNames({ ...before, ...state }, before),
      added: added.length,
      removed: removed.length,
      memberships,
      ...(before.displayName !== displayName && { nameBefore: before.displayName }),
    };
    const resource = { kind: 'directoryGroup', id, name: displayName };
    return { result: null, event: { action: 'directory.groupChanged', resource, payload } };
  },
});
