import { data, type RouterContextProvider } from 'react-router';
import type { Role } from '#app/contracts/people.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export type MemberView = { userId: string; name: string; email: string; roles: Role[]; isMe: boolean; asks: boolean };

/** One member of the current workspace, and whether (`asks`) another person agrees to roles of control; 404 for anyone else. */
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
        return found === undefined ? undefined : { ...found, asks: await secondPersonAgrees(db) };
      })
    : undefined;
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return { userId: row.user_id, name: row.name, email: row.email, roles: row.roles, isMe: row.user_id === member.userId, asks: row.asks };
}
