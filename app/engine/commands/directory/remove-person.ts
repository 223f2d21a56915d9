import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { lockDirectory } from '#app/engine/directory/lock-directory.ts';
import { findPerson } from '#app/engine/directory/read-directory.ts';
import { settlePerson } from '#app/engine/directory/settle-people.ts';

/** Removes a person from the directory, and with that from the workspace. The row stays without a name, so that its id means nobody else. */
export const removePerson = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['directory.personRemoved'],
  changes: ['quorate.directory_people', 'quorate.directory_group_people'],
  repeat: 'refused',
  async change({ db, principal, now }, { id }) {
    await lockDirectory(db);
    const person = await findPerson(db, principal.workspace.id, id, true);
    if (person === null) throw new AppError('not_found');
    const nobody = { external_id: null, display_name: null, given_name: null, family_name: null, formatted_name: null, email: null };
    await db
      .updateTable('quorate.directory_people')
      .set({ ...nobody, user_name: id, emails: '[]', active: false, deleted_at: now(), changed_at: now() })
      .where('id', '=', id)
      .execute();
    await db.deleteFrom('quorate.directory_group_people').where('person_id', '=', id).execute();
    const { state: membership, ...more } = await settlePerson(db, id);
    const resource = { kind: 'directoryPerson', id };
    return { result: null, event: { action: 'directory.personRemoved', resource, payload: { membership, ...more } } };
  },
});
