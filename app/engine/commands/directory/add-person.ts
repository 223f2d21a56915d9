import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { personStateSchema, personValues } from '#app/engine/directory/person-values.ts';
import { findPerson } from '#app/engine/directory/read-directory.ts';
import { settlePerson } from '#app/engine/directory/settle-people.ts';

/**
 * Adds a person to the directory of a workspace, who becomes a member, or is invited, as `quorate.settle_directory_person` has it. A user
 * name that somebody has already is refused by the database.
 */
export const addPerson = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ state: personStateSchema }),
  actions: ['directory.personAdded'],
  changes: ['quorate.directory_people'],
  repeat: 'refused',
  async change({ db, principal, newId }, { state }) {
    const id = newId();
    await db
      .insertInto('quorate.directory_people')
      .values({ id, workspace_id: principal.workspace.id, ...personValues(state) })
      .execute();
    const { state: membership, ...more } = await settlePerson(db, id);
    const resource = { kind: 'directoryPerson', id };
    const person = await findPerson(db, principal.workspace.id, id);
    if (person === null) throw new Error('a person who was added is not there');
    return {
      result: { person },
      event: { action: 'directory.personAdded', resource, payload: { active: state.active, membership, ...more } },
    };
  },
});
