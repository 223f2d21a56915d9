import { z } from 'zod';
import { runFileSchema } from '#app/domain/documents/run-file.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Uploads of one person that no run has taken yet: each may have 10 MB, and they go after a day. */
const MOST_UNUSED = 50;

/** Names a file for the input of a run that its owner starts next. */
export const keepUpload = defineCommand({
  permission: 'startRun',
  scope: 'runs:start',
  input: z.object({ id: z.uuid(), ...runFileSchema.omit({ file: true }).shape, storedName: z.string() }),
  actions: ['file.uploaded'],
  changes: ['quorate.run_files'],
  repeat: 'byId',
  async change({ db, principal }, { id, name, mediaType, size, sha256, storedName }) {
    const { userId, workspace } = principal;
    const { unused } = await db
      .selectFrom('quorate.run_files')
      .where('workspace_id', '=', workspace.id)
      .where('owner_id', '=', userId)
      .where('run_id', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('unused'))
      .executeTakeFirstOrThrow();
    if (Number(unused) >= MOST_UNUSED) throw new AppError('conflict', { values: { what: 'uploads', limit: MOST_UNUSED } });
    await db
      .insertInto('quorate.run_files')
      .values({
        id,
        workspace_id: workspace.id,
        owner_id: userId,
        name,
        media_type: mediaType,
        size,
        sha256,
        stored_name: storedName,
      })
      .execute();
    return { result: null, event: { action: 'file.uploaded', resource: { kind: 'file', id, name }, payload: { size, sha256 } } };
  },
});
