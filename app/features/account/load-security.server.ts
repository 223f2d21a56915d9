import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { authContext, memberContext } from '#app/contracts/request-context.ts';
import { ownIdentities } from '#app/engine/account/own-identities.ts';
import { ownSecondFactor } from '#app/engine/account/own-second-factor.ts';

/** The ways to sign in. */
export async function loadSecurity(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { factor, identities, otherAdmins } = await read(async (db) => ({
    factor: await ownSecondFactor(db, member.sessionId),
    identities: await ownIdentities(db),
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
    identities: identities.map(({ createdAt, ...identity }) => ({ ...identity, createdAt: createdAt.toISOString() })),
    ways: await context.get(authContext).proofWays(),
    /** Everything of the workspace hangs on this one password, and on nothing else. */
    alone: !factor.enrolled && member.roles.includes('admin') && otherAdmins.count === 0,
    workspace: shownWorkspaceName(context),
  };
}
export type SecurityView = Awaited<ReturnType<typeof loadSecurity>>;
