import type { RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { SignInError, type TypedClient } from '#app/contracts/sign-ins.ts';
import { installServer } from '#app/engine/commands/connections/install-server.ts';
import { findSignIn } from '#app/engine/connections/sign-ins/find-sign-in.ts';
import { clientContext } from '#app/engine/connections/sign-ins/token-set.ts';
import { pageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { faultMessage } from '#app/features/connections/sign-in/sign-in-fault.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Typed = { name: string; address: string; description: string; clientId: string; clientSecret: string };

/**
 * Stores a server that takes nothing but a sign-in and leads to its page, where one signs in. Null: it wants a key. `fieldErrors`: it names a
 * way to sign in that leads nowhere, or knows us only by a registration that was not typed.
 */
export async function connectBySignIn(
  context: Readonly<RouterContextProvider>,
  { name, address, description, clientId, clientSecret }: Typed,
  { privateNetwork, refused }: { privateNetwork: WorkspaceNetwork; refused: unknown },
): Promise<Response | { fieldErrors: { [field: string]: string[] } } | null> {
  const { engine, newId } = context.get(servicesContext);
  try {
    const offer = await findSignIn(engine, { endpoint: address, privateNetwork }, refused);
    if (offer === null) return null;
    if (!offer.registers && clientId === '') return { fieldErrors: { clientId: ['connection.clientNeeded'] } };
    const id = newId();
    const typed: TypedClient = { clientId, clientSecret: clientSecret === '' ? null : clientSecret };
    const sealedClient = clientId === '' ? null : engine.sealer.seal(JSON.stringify(typed), clientContext(id));
    const settings = { signIn: { by: 'workspace', owner: null, host: offer.host } };
    await performAsMember(context, installServer, { id, name, description, endpoint: address, settings, sealedClient });
    return redirectWithNotice(pageOf(id), 'connectionWaitsForSignIn', { kind: 'attention', values: { host: offer.host } });
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return { fieldErrors: { address: [faultMessage(error.fault)] } };
  }
}
