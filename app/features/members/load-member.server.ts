import { data, type RouterContextProvider } from 'react-router';
import type { Role } from '#app/contracts/people.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { directoryDecides } from '#app/engine/directory/directory-decides.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type MemberView = { userId: string; name: string; email: string; roles: Role[]; isMe: boolean; asks: boolean; directed: boolean };

/** One member of the current workspace, whether (`asks`) another person agrees to roles of control, and whether
 * (`directed`) the groups of a directory decide about them; 404 for anyone else. */
export async function loadMember(context: Readonly<RouterContextProvider>, userId: string): Promise<MemberView> {
  const { member, read } = context.get(memberContext);
  const row = UUID.test(userId)
    ? await read(async (db) => {
        const found = await db
          .selectFrom('quorate.members')
          .select(['user_id', 'name', 'email', 'roles'])
          .where('workspace_id', '=', member.workspace.id)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        return found === undefined
          ? undefined
          : { ...found, asks: await secondPersonAgrees(db), directed: await directoryDecides(db, userId, null) };
      })
    : undefined;
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    roles: row.roles,
    isMe: row.user_id === member.userId,
    asks: row.asks,
    directed: row.directed,
  };
}
