import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import { can } from '#app/domain/people/roles.ts';
import { disconnectPeer } from '#app/engine/commands/connections/disconnect-peer.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

/** An issuer is told of so many at once; tokens beyond are deleted here all the same. */
const MOST_REVOKED = 50;

/** The facts for the question before disconnecting. */
export async function loadDisconnect(given: Arguments) {
  requireDisconnecter(given);
  const { id, name } = await readConnection(given);
  return { kind: given.kind, id, name };
}

export async function disconnectAction(given: Arguments) {
  requireDisconnecter(given);
  const { id, name, settings } = await readConnection(given);
  if (signInOf(settings) !== null) await revokeAll(given, id);
  await performAsMember(given.context, disconnectPeer, { connection: { id, name } });
  return redirectWithNotice(href(CONNECTION_AREAS[given.kind].base), 'connectionDisconnected');
}

/** Tells the issuers of all tokens, the workspace's and its members', that these are not wanted any longer. */
async function revokeAll({ context }: Arguments, connectionId: string): Promise<void> {
  const { member, read } = context.get(memberContext);
  const workspaceId = member.workspace.id;
  const { holders, privateNetwork } = await read(async (db) => ({
    holders: await db
      .selectFrom('quorate.oauth_grants')
      .where('connection_id', '=', connectionId)
      .select('user_id')
      .limit(MOST_REVOKED)
      .execute(),
    privateNetwork: await workspaceNetwork(db, workspaceId),
  }));
  const { signIns } = context.get(servicesContext).engine;
  await Promise.all(holders.map(({ user_id: userId }) => signIns.revoke({ workspaceId, connectionId, userId }, privateNetwork)));
}

function requireDisconnecter({ context }: Arguments): void {
  const { roles } = context.get(memberContext).member;
  if (!can(roles, 'manageConnection')) throw data({ code: 'forbidden' }, { status: 403 });
}
