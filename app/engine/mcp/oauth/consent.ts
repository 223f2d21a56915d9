import { createHash, randomBytes } from 'node:crypto';
import { auth, computeScopeUnion, type StoredOAuthClientInformation, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignInError, type SignInPeer } from '#app/contracts/sign-ins.ts';
import type { OurClient } from '#app/domain/connections/our-client.ts';
import { ConsentProvider, type Registrations } from '#app/engine/mcp/oauth/consent-provider.ts';
import { discover } from '#app/engine/mcp/oauth/discover.ts';
import type { Pending, TokenSet } from '#app/engine/mcp/oauth/sealed-parts.ts';
import { signInError } from '#app/engine/mcp/oauth/sign-in-fault.ts';

type Begun = { pending: Pending; host: string; registered: { issuer: string; information: StoredOAuthClientInformation; isNew: boolean } };

/**
 * Finds out where people sign in, registers us there where nobody did before, and makes the address. `granted`: the scope of the tokens that
 * are there already, which a wider consent keeps.
 * @throws SignInError
 */
export async function beginConsent(
  peer: SignInPeer,
  { client, registrations, granted, fetchFn }: { client: OurClient; registrations: Registrations; granted: string; fetchFn: typeof fetch },
): Promise<Begun> {
  const { state: discovery, issuer, host } = await discover(peer, fetchFn);
  const state = randomBytes(32).toString('base64url');
  const asked = peer.challenge?.scope ?? undefined;
  const scope = asked === undefined ? undefined : computeScopeUnion(granted === '' ? undefined : granted, asked);
  const provider = new ConsentProvider({ client, discovery, registrations: reachingTo(registrations, scope), state });
  try {
    await auth(provider, { serverUrl: peer.endpoint, fetchFn, forceReauthorization: true, ...(scope === undefined ? {} : { scope }) });
  } catch (error) {
    throw signInError(error, 'registrationRefused');
  }
  const { address, registered } = provider;
  if (address === null || registered === null) throw new SignInError('metadataWrong');
  const { information } = registered;
  return {
    host,
    registered,
    pending: { address: address.href, state, verifier: provider.codeVerifier(), discovery: provider.discoveryState(), issuer, information },
  };
}

/** A server that notes with a registration what it may ask for takes a wider scope from another registration alone. */
function reachingTo({ of, typed }: Registrations, scope: string | undefined): Registrations {
  const asked = scope?.split(' ') ?? [];
  const covers = (information: object) => {
    const noted = 'scope' in information && typeof information.scope === 'string' ? information.scope.split(' ') : null;
    return noted === null || asked.every((one) => noted.includes(one));
  };
  return { of: new Map([...of].filter(([, information]) => covers(information))), typed };
}

/**
 * Exchanges all that came back for tokens: the SDK checks the issuer before it reads anything else.
 * @throws SignInError
 */
export async function finishConsent(
  endpoint: string,
  { pending, params, client, fetchFn }: { pending: Pending; params: URLSearchParams; client: OurClient; fetchFn: typeof fetch },
): Promise<TokenSet> {
  const { discovery, issuer, information, verifier, state } = pending;
  const registrations = { of: new Map([[issuer, information]]), typed: null };
  const provider = new ConsentProvider({ client, discovery, registrations, state, verifier });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider, fetch: fetchFn });
  try {
    await transport.finishAuth(params);
  } catch (error) {
    throw signInError(error, 'exchangeRefused');
  } finally {
    await transport.close();
  }
  const { tokensSaved: tokens, resource } = provider;
  if (tokens === null) throw new SignInError('exchangeRefused');
  return { tokens, information, discovery, issuer, resource };
}

/** How a consent is found again, without keeping its state in clear. */
export const stateDigest = (state: string) => createHash('sha256').update(state).digest();
