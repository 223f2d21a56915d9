import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ModelProvider } from '#app/contracts/models.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { MODEL_BASE_URLS } from '#app/domain/connections/model-connection.ts';
import { connectPeer } from '#app/engine/commands/connections/connect-peer.ts';
import { credentialContext } from '#app/engine/connections/connection-row.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { requireConnector } from '#app/features/connections/connect/connect-action.server.ts';
import { connectServiceSchemas } from '#app/features/connections/connect/connect-service-schema.ts';
import { CONNECTION_AREAS, type ServiceKind } from '#app/features/connections/connection-area.ts';
import { peerFailureMessage } from '#app/features/connections/peer-failure-message.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider>; kind: ServiceKind };

export function loadConnectService({ context, kind }: Omit<Arguments, 'request'>): { kind: ServiceKind } {
  requireConnector({ context, kind });
  return { kind };
}

/** Calls the service with the key first; its capabilities are stored and wait for approval. */
export async function connectServiceAction({ request, context, kind }: Arguments) {
  requireConnector({ context, kind });
  const parsed = await parseForm(request, connectServiceSchemas[kind]);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member, read } = context.get(memberContext);
  const { engine, newId } = context.get(servicesContext);
  const { name, description, token, service } = parsed.value;
  const endpoint = (parsed.value.address === '' ? MODEL_BASE_URLS[service as ModelProvider] : parsed.value.address).replace(/\/+$/, '');
  const settings: Json = kind === 'model' ? { provider: service, prices: {} } : { partner: service };
  const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
  let inspection: PeerInspection;
  try {
    inspection = await engine.inspectPeer({ kind, endpoint, credential: token === '' ? null : token, settings, privateNetwork });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    const { field, text } = peerFailureMessage(error.failure);
    return invalidForm(parsed.reply, { fieldErrors: { [field]: [text] } });
  }
  const id = newId();
  const sealedCredential = token === '' ? null : engine.sealer.seal(token, credentialContext(id));
  await performAsMember(context, connectPeer, { id, kind, name, description, endpoint, sealedCredential, settings, inspection });
  return redirectWithNotice(href(`${CONNECTION_AREAS[kind].base}/:connection`, { connection: id }), 'connectionConnected');
}
