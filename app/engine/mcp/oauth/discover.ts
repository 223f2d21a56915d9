import { discoverOAuthServerInfo, type OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { SignInError, type SignInOffer, type SignInPeer } from '#app/contracts/sign-ins.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { isSecure } from '#app/engine/mcp/oauth/auth-fetch.ts';
import { revocationEndpointOf } from '#app/engine/mcp/oauth/renew.ts';
import { signInError } from '#app/engine/mcp/oauth/sign-in-fault.ts';

export type Discovered = { state: OAuthDiscoveryState; issuer: string; host: string };

/**
 * Reads who guards a peer and where people sign in there. `fetchFn` is the one of sign-ins. A document that points where it may not, or that
 * lies about who wrote it, ends this: the SDK would go on and guess.
 * @throws SignInError
 */
export async function discover(peer: SignInPeer, fetchFn: typeof fetch): Promise<Discovered> {
  const metadata = peer.challenge?.metadata ?? null;
  const resourceMetadataUrl = metadata === null ? undefined : (URL.parse(metadata) ?? undefined);
  let refused: unknown = null;
  const watched: typeof fetch = async (input, init) => {
    try {
      return await fetchFn(input, init);
    } catch (error) {
      if (outgoingCallErrorIn(error) !== null) refused ??= error;
      throw error;
    }
  };
  const options = { fetchFn: watched, ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }) };
  try {
    const found = await discoverOAuthServerInfo(peer.endpoint, options);
    if (refused !== null) throw refused;
    const state = { ...found, ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }) };
    return { state, issuer: found.authorizationServerMetadata?.issuer ?? found.authorizationServerUrl, host: hostOf(state, peer) };
  } catch (error) {
    const failed = signInError(refused ?? error, 'metadataWrong');
    // A document that says that another wrote it.
    throw failed.fault === 'issuerMismatch' ? new SignInError('metadataWrong', { cause: failed }) : failed;
  }
}

/** The host that people are sent to. Every address that a secret goes to is checked before one is shown. */
function hostOf(
  { authorizationServerUrl, authorizationServerMetadata: server }: OAuthDiscoveryState,
  { privateNetwork }: SignInPeer,
): string {
  const addresses = [
    server?.authorization_endpoint ?? new URL('/authorize', authorizationServerUrl).href,
    server?.token_endpoint,
    server?.registration_endpoint,
    server === undefined ? undefined : (revocationEndpointOf(server) ?? undefined),
  ].flatMap((address) => (typeof address === 'string' ? [URL.parse(address)] : []));
  if (
    !addresses.every((address) => address !== null && isSecure(address) && (address.protocol === 'https:' || reachesInside(privateNetwork)))
  )
    throw new SignInError('notSecure');
  return addresses[0]?.host ?? '';
}

const reachesInside = (network: WorkspaceNetwork) => network === 'instance' || network.length > 0;

/** Shown on the screen of the sign-in. @throws SignInError `noMetadata`: it names nobody who guards it, so a key is what it wants */
export function offerOf({ state, issuer, host }: Discovered): SignInOffer {
  const server = state.authorizationServerMetadata;
  if (server === undefined && state.resourceMetadata === undefined) throw new SignInError('noMetadata');
  const registers =
    server === undefined || server.client_id_metadata_document_supported === true || server.registration_endpoint !== undefined;
  return { issuer, host, registers };
}
