import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';

/** The outcome for a membership; `same` where nothing did. With `user`, and the roles `before` and `after`, for the log. */
export type Settled = { state: 'joined' | 'invited' | 'ended' | 'changed' | 'same' } & { [name: string]: Json };

/** Brings a person's membership to what the directory says of them now. */
export async function settlePerson(db: Db, id: string): Promise<Settled> {
  const { rows } = await sql<{ settled: Settled }>`select quorate.settle_directory_person(${id}::uuid) as settled`.execute(db);
  return rows[0]?.settled ?? { state: 'same' };
}

/** The same for those of these people who are members; answers what changed for whom. */
export async function settleMembers(db: Db, workspaceId: string, ids: readonly string[]): Promise<({ person: string } & Settled)[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; settled: Settled }>`
    select p.id, quorate.settle_directory_person(p.id) as settled from quorate.directory_people p
    where p.workspace_id = ${workspaceId} and p.id = any (${ids}::uuid[]) and p.user_id is not null`.execute(db);
  return rows.flatMap(({ id, settled }) => (settled.state === 'same' && settled.adminKept !== true ? [] : [{ person: id, ...settled }]));
}
