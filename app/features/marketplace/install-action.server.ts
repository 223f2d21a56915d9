import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { installServer } from '#app/engine/commands/connections/install-server.ts';
import { type EntryParams, readEntry } from '#app/features/marketplace/load-marketplace.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Makes a pending connection of a server that can be reached by its address; nothing is called yet. */
export async function installAction({ params, context }: { params: EntryParams; context: Readonly<RouterContextProvider> }) {
  assertPermission(context.get(memberContext).member.roles, 'connect');
  const { server } = await readEntry({ params, context });
  const { remote } = server;
  if (remote === null) throw data({ code: 'invalid_input' }, { status: 400 });
  const id = context.get(servicesContext).newId();
  await performAsMember(context, installServer, { id, name: server.title, description: server.description, endpoint: remote });
  return redirectWithNotice(href('/dashboard/plugins/:connection', { connection: id }), 'connectionInstalled');
}
