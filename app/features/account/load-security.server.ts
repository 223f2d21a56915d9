import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { ownSecondFactor } from '#app/engine/account/own-second-factor.ts';

/** The ways to sign in. */
export async function loadSecurity(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { factor, otherAdmins } = await read(async (db) => ({
    factor: await ownSecondFactor(db, member.sessionId),
    otherAdmins: await db
      .selectFrom('quorate.members')
      .where('workspace_id', '=', member.workspace.id)
      .where('user_id', '<>', member.userId)
      .where(sql<boolean>`'admin' = any (roles)`)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  }));
  return {
    email: member.email,
    enrolled: factor.enrolled,
    app: factor.app,
    passkeys: factor.passkeys,
    codesLeft: factor.codesLeft,
    /** Everything of the workspace hangs on this one password, and on nothing else. */
    alone: !factor.enrolled && member.roles.includes('admin') && otherAdmins.count === 0,
    workspace: shownWorkspaceName(context),
  };
}
export type SecurityView = Awaited<ReturnType<typeof loadSecurity>>;
