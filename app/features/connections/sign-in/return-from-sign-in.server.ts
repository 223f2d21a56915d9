import { createHash } from 'node:crypto';
import { href, type RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { SignInError } from '#app/contracts/sign-ins.ts';
import { can } from '#app/domain/people/roles.ts';
import { keepSignIn } from '#app/engine/commands/connections/sign-ins/keep-sign-in.ts';
import { type TakenSignIn, takeSignIn } from '#app/engine/commands/connections/sign-ins/take-sign-in.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { pageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { redirectToFault } from '#app/features/connections/sign-in/sign-in-fault.server.ts';
import { performAsMember, performForSelf } from '#app/perform.server.ts';

type Arguments = { url: URL; context: Readonly<RouterContextProvider> };

/**
 * A person comes back from an authorization server. The state finds what they left with, once, and only for the session that left: everything
 * else that came back is judged by the library.
 */
export async function returnFromSignIn({ url, context }: Arguments) {
  const state = url.searchParams.get('state') ?? '';
  const stateDigest = createHash('sha256').update(state).digest();
  const taken = state === '' ? null : await performForSelf(context, takeSignIn, { stateDigest });
  if (taken === null) return redirectWithNotice(href('/dashboard/plugins'), 'signInUnknown', { kind: 'danger' });
  const page = pageOf(taken.connectionId);
  const values = { host: taken.host };
  if (taken.expired) return redirectToFault(taken.connectionId, 'expired');
  try {
    const outcome = await finish(context, taken, url.searchParams);
    return outcome === 'failed'
      ? redirectWithNotice(page, 'connectionSignedInUnread', { kind: 'attention', values })
      : redirectWithNotice(page, 'connectionSignedIn', { values });
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return redirectToFault(taken.connectionId, error.fault);
  }
}

/** Exchanges, keeps, and asks the server anew what it offers, where this member may. */
async function finish(context: Arguments['context'], taken: TakenSignIn, params: URLSearchParams): Promise<'read' | 'failed'> {
  const access = context.get(memberContext);
  const services = context.get(servicesContext);
  const row = await readConnection({ params: { connection: taken.connectionId }, context, kind: 'mcp' });
  const privateNetwork = await access.read((db) => workspaceNetwork(db, access.member.workspace.id));
  const { id: consent, sealed, forMember, host } = taken;
  const grant = await services.engine.signIns.finish({ id: consent, sealed, endpoint: row.endpoint, privateNetwork }, params);
  const connection = { id: row.id, name: row.name };
  await performAsMember(context, keepSignIn, { connection, consent, forMember, host, grant });
  if (!can(access.member.roles, 'manageConnection')) return 'read';
  const { endpoint, settings, sealed_credential: sealedCredential } = row;
  const checked = { ...connection, kind: 'mcp', endpoint, sealedCredential, settings } as const;
  return (await checkConnection(memberPrincipal(access), services, checked)) === 'failed' ? 'failed' : 'read';
}
