import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { invalidValue } from '#app/engine/directory/scim-error.ts';

/** Puts people into a group. @throws ScimError invalidValue: one of them is nobody of this workspace's directory */
export async function addToGroup(db: Db, workspaceId: string, groupId: string, people: readonly string[]): Promise<void> {
  if (people.length === 0) return;
  const { rows } = await sql<{ id: string }>`select p.id from quorate.directory_people p
    where p.workspace_id = ${workspaceId} and p.id = any (${people}::uuid[]) and p.deleted_at is null`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  const stranger = people.find((id) => !known.has(id));
  if (stranger !== undefined) throw invalidValue(`There is no user ${stranger}.`);
  await db
    .insertInto('quorate.directory_group_people')
    .columns(['workspace_id', 'group_id', 'person_id'])
    .expression(sql`select ${workspaceId}::uuid, ${groupId}::uuid, unnest(${people}::uuid[])`)
    .execute();
}
