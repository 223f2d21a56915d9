import { AppError } from '#app/domain/errors.ts';
import type { CommandCall } from '#app/engine/commands/command.ts';

type ArtifactKind = 'workflow' | 'agent' | 'gateway';

/** Pauses or resumes anything with an active version. @throws AppError not_found */
export async function setActive({ db, now }: CommandCall, kind: ArtifactKind, id: string, active: boolean) {
  const row = await db
    .updateTable('quorate.artifacts')
    .set({ status: active ? 'active' : 'inactive', updated_at: now() })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .where('published_version_id', 'is not', null)
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** Deletes it softly: its runs and their proof stay. @throws AppError not_found */
export async function deleteArtifact({ db, now }: CommandCall, kind: ArtifactKind, id: string) {
  const row = await db
    .updateTable('quorate.artifacts')
    .set({ status: 'inactive', deleted_at: now() })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}
