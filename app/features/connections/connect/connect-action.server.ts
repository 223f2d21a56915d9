import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { FullPlan } from '#app/components/page/plan-limit.tsx';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { ourClient } from '#app/domain/connections/our-client.ts';
import { can } from '#app/domain/people/roles.ts';
import { connectPeer } from '#app/engine/commands/connections/connect-peer.ts';
import { credentialContext } from '#app/engine/connections/connection-row.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { readQuota } from '#app/engine/plans/require-quota.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { connectBySignIn } from '#app/features/connections/connect/connect-by-sign-in.server.ts';
import { connectSchema } from '#app/features/connections/connect/connect-schema.ts';
import { type BuiltinKind, CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import { peerFailureMessage } from '#app/features/connections/peer-failure-message.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider>; kind: BuiltinKind };

/** The form is for members who may connect. */
export function requireConnector<Kind extends ConnectionKind>({
  context,
  kind,
}: {
  context: Readonly<RouterContextProvider>;
  kind: Kind;
}): { kind: Kind } {
  if (!can(context.get(memberContext).member.roles, 'connect')) throw data({ code: 'forbidden' }, { status: 403 });
  return { kind };
}

/** The form by address, and whether there are servers of this machine to choose from instead. */
export function loadConnectTool({ context }: { context: Readonly<RouterContextProvider> }) {
  const { engine, origin } = context.get(servicesContext);
  const local = Object.keys(engine.localServers).length > 0;
  return { ...requireConnector({ context, kind: 'mcp' }), local, returnAddress: ourClient(origin).redirectUrl };
}

/** The form, and whether the plan has room for one agent more. */
export async function loadConnectAgent({ context }: { context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { kind } = requireConnector({ context, kind: 'a2a' });
  const { now } = context.get(servicesContext);
  const room = await read((db) => readQuota(db, member.workspace.id, 'agents', now()));
  const full: FullPlan | null = room?.full ? { what: 'agents', limit: room.limit, mayChange: can(member.roles, 'manageMembers') } : null;
  return { kind, full };
}

/** Speaks to the address first; what answers is stored with everything it offers waiting for approval. */
export async function connectAction({ request, context, kind }: Arguments) {
  requireConnector({ context, kind });
  const parsed = await parseForm(request, connectSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { member, read } = context.get(memberContext);
  const { engine, newId } = context.get(servicesContext);
  const { name, address, description, token } = parsed.value;
  const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
  let inspection: PeerInspection;
  try {
    inspection = await engine.inspectPeer({ kind, endpoint: address, credential: token === '' ? null : token, privateNetwork });
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    const led = kind === 'mcp' && token === '' ? await connectBySignIn(context, parsed.value, { privateNetwork, refused: error }) : null;
    if (led instanceof Response) return led;
    if (led !== null) return invalidForm(parsed.reply, { fieldErrors: led.fieldErrors });
    const { field, text } = peerFailureMessage(error.failure);
    return invalidForm(parsed.reply, { fieldErrors: { [field]: [text] } });
  }
  const id = newId();
  const sealedCredential = token === '' ? null : engine.sealer.seal(token, credentialContext(id));
  try {
    await performAsMember(context, connectPeer, { id, kind, name, description, endpoint: address, sealedCredential, inspection });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href(`${CONNECTION_AREAS[kind].base}/:connection`, { connection: id }), 'connectionConnected');
}
