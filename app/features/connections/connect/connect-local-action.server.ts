import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { connectPeer } from '#app/engine/commands/connections/connect-peer.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { LOCAL_SCHEME } from '#app/engine/connections/peer-target.ts';
import { requireConnector } from '#app/features/connections/connect/connect-action.server.ts';
import { connectLocalSchema } from '#app/features/connections/connect/connect-local-schema.ts';
import { peerFailureMessage } from '#app/features/connections/peer-failure-message.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The servers that the operator allows on this machine, each with its exact command. */
export function loadLocalServers({ context }: { context: Context }) {
  requireConnector({ context, kind: 'mcp' });
  const { localServers } = context.get(servicesContext).engine;
  return { servers: Object.entries(localServers).map(([name, command]) => ({ name, command: command.map(quoted).join(' ') })) };
}

/** Written as a shell would, so that one sees where an argument ends. */
const quoted = (part: string) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`);

/** Starts the process and inspects it first; its capabilities are stored and wait for approval. */
export async function connectLocalAction({ request, context }: { request: Request; context: Context }) {
  requireConnector({ context, kind: 'mcp' });
  const parsed = await parseForm(request, connectLocalSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { engine, newId } = context.get(servicesContext);
  const { name, server, description } = parsed.value;
  const endpoint = `${LOCAL_SCHEME}${server}`;
  let inspection: PeerInspection;
  try {
    inspection = await engine.inspectPeer({ kind: 'mcp', endpoint, credential: null });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return invalidForm(parsed.reply, { fieldErrors: { server: [peerFailureMessage(error.failure).text] } });
  }
  const id = newId();
  const connection = { id, kind: 'mcp', name, description, endpoint, sealedCredential: null, inspection } as const;
  await performAsMember(context, connectPeer, connection);
  return redirectWithNotice(href('/dashboard/plugins/:connection', { connection: id }), 'connectionConnected');
}
