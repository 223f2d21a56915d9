import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { lockDirectory } from '#app/engine/directory/lock-directory.ts';
import { changedNames, personStateSchema, personValues } from '#app/engine/directory/person-values.ts';
import { findPerson } from '#app/engine/directory/read-directory.ts';
import { settlePerson } from '#app/engine/directory/settle-people.ts';

/**
 * Gives a person of the directory this state, where they still have the revision that was seen, and brings their membership to it: who is
 * not active is no member from this commit on. The log holds the names of what changed, and no values.
 */
export const changePerson = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ id: idSchema, revision: z.number().int(), state: personStateSchema }),
  actions: ['directory.personChanged'],
  changes: ['quorate.directory_people'],
  repeat: 'byRevision',
  async change({ db, principal, now }, { id, revision, state }) {
    await lockDirectory(db);
    const before = await findPerson(db, principal.workspace.id, id, true);
    if (before === null) throw new AppError('not_found');
    if (before.revision !== revision) throw new AppError('conflict');
    await db
      .updateTable('quorate.directory_people')
      .set({ ...personValues(state), revision: revision + 1, changed_at: now() })
      .where('id', '=', id)
      .execute();
    const { state: membership, ...more } = await settlePerson(db, id);
    const payload = { changed: changedNames({ ...before, ...state }, before), active: state.active, membership, ...more };
    const resource = { kind: 'directoryPerson', id };
    return { result: null, event: { action: 'directory.personChanged', resource, payload } };
  },
});
