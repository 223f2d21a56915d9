import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { addToGroup } from '#app/engine/directory/group-people.ts';
import { lockDirectory } from '#app/engine/directory/lock-directory.ts';
import { groupStateSchema } from '#app/engine/directory/person-values.ts';
import { settleMembers } from '#app/engine/directory/settle-people.ts';

/** Adds a group to the directory, with its people, who have the roles that the workspace gives it from this commit on. */
export const addGroup = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ state: groupStateSchema }),
  actions: ['directory.groupAdded'],
  changes: ['quorate.directory_groups', 'quorate.directory_group_people'],
  repeat: 'refused',
  async change({ db, principal, newId }, { state: { displayName, externalId, members } }) {
    await lockDirectory(db);
    const id = newId();
    const workspaceId = principal.workspace.id;
    await db
      .insertInto('quorate.directory_groups')
      .values({ id, workspace_id: workspaceId, display_name: displayName, external_id: externalId })
      .execute();
    await addToGroup(db, workspaceId, id, members);
    const memberships = await settleMembers(db, workspaceId, members);
    const resource = { kind: 'directoryGroup', id, name: displayName };
    return { result: { id }, event: { action: 'directory.groupAdded', resource, payload: { added: members.length, memberships } } };
  },
});
