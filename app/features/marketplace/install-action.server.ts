import { data, href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { installServer } from '#app/engine/commands/connections/install-server.ts';
import { signInHost } from '#app/engine/connections/sign-ins/find-sign-in.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { type EntryParams, readEntry } from '#app/features/marketplace/load-marketplace.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/**
 * Makes a pending connection of a server that can be reached by its address. One that takes nothing but a sign-in is asked where, and leads
 * there; nothing else is called yet.
 */
export async function installAction({ params, context }: { params: EntryParams; context: Readonly<RouterContextProvider> }) {
  assertPermission(context.get(memberContext).member.roles, 'connect');
  const { server } = await readEntry({ params, context });
  const { remote } = server;
  if (remote === null) throw data({ code: 'invalid_input' }, { status: 400 });
  const { newId, engine } = context.get(servicesContext);
  const { member, read } = context.get(memberContext);
  const id = newId();
  const { title: name, description, credential } = server;
  if (credential === 'oauth') {
    const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
    const host = await signInHost(engine, { endpoint: remote, privateNetwork });
    const settings = { signIn: { by: 'workspace', owner: null, host } };
    await performAsMember(context, installServer, { id, name, description, endpoint: remote, settings });
    const page = href('/dashboard/plugins/:connection', { connection: id });
    return redirectWithNotice(page, 'connectionWaitsForSignIn', { kind: 'attention', values: { host } });
  }
  await performAsMember(context, installServer, { id, name, description, endpoint: remote });
  return redirectWithNotice(href('/dashboard/plugins/:connection', { connection: id }), 'connectionInstalled');
}
