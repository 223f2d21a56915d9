import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { disconnectPeer } from '#app/engine/commands/connections/disconnect-peer.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { params: { connection: string }; context: Readonly<RouterContextProvider>; kind: ConnectionKind };

/** The facts for the question before disconnecting. */
export async function loadDisconnect(given: Arguments) {
  requireDisconnecter(given);
  const { id, name } = await readConnection(given);
  return { kind: given.kind, id, name };
}

export async function disconnectAction(given: Arguments) {
  requireDisconnecter(given);
  const { id, name } = await readConnection(given);
  await performAsMember(given.context, disconnectPeer, { connection: { id, name } });
  return redirectWithNotice(href(CONNECTION_AREAS[given.kind].base), 'connectionDisconnected');
}

function requireDisconnecter({ context }: Arguments): void {
  const { roles } = context.get(memberContext).member;
  if (!can(roles, 'manageConnection')) throw data({ code: 'forbidden' }, { status: 403 });
}
