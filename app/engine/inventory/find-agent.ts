import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';

/** An agent of the inventory: one that was written in the workspace, or the connection to one elsewhere. @throws AppError not_found */
export async function findAgent(db: Db, workspaceId: string, id: string) {
  const authored = await db
    .selectFrom('quorate.artifacts')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'agent')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'description', 'published_version_id'])
    .executeTakeFirst();
  if (authored !== undefined) return { ...authored, kind: 'authored' as const, slug: null };
  const remote = await db
    .selectFrom('quorate.connections')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'a2a')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'description', 'slug'])
    .executeTakeFirst();
  if (remote === undefined) throw new AppError('not_found');
  return { ...remote, kind: 'remote' as const, published_version_id: null };
}
export type FoundAgent = Awaited<ReturnType<typeof findAgent>>;
