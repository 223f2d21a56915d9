import {
  type AuthorizationServerMetadata,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import { SignInError } from '#app/contracts/sign-ins.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import type { TokenSet } from '#app/engine/mcp/oauth/sealed-parts.ts';

/** Codes with which an issuer says that a grant is over, whatever we do. */
const OVER: ReadonlySet<string> = new Set([OAuthErrorCode.InvalidGrant, OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient]);

/** Renews a set by its refresh token. Null: the grant is over, a person has to consent again. @throws SignInError `unreachable` */
export async function renewTokens(set: TokenSet, fetchFn: typeof fetch): Promise<TokenSet | null> {
  const { tokens, information, discovery, issuer, resource } = set;
  if (tokens.refresh_token === undefined) return null;
  try {
    const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(discovery.authorizationServerMetadata === undefined ? {} : { metadata: discovery.authorizationServerMetadata }),
      clientInformation: information,
      refreshToken: tokens.refresh_token,
      ...(resource === null ? {} : { resource }),
      fetchFn,
    });
    const { scope = tokens.scope, ...rest } = renewed;
    return { ...set, tokens: { ...rest, ...(scope === undefined ? {} : { scope }), issuer } };
  } catch (error) {
    if (OAuthError.isInstance(error) && OVER.has(error.code)) return null;
    // Anything else may pass: an issuer that is down says nothing of what it granted.
    throw new SignInError(outgoingCallErrorIn(error) === null ? 'exchangeRefused' : 'unreachable', { cause: error });
  }
}

/** The SDK's types name it for one of the two kinds of metadata alone. */
export function revocationEndpointOf(server: AuthorizationServerMetadata): string | null {
  return 'revocation_endpoint' in server && typeof server.revocation_endpoint === 'string' ? server.revocation_endpoint : null;
}

/** Tells the issuer that a set is not wanted any longer (RFC 7009). False: it takes no such word, or did not take this one. */
export async function revokeTokens({ tokens, information, discovery }: TokenSet, fetchFn: typeof fetch): Promise<boolean> {
  const server = discovery.authorizationServerMetadata;
  const endpoint = server === undefined ? null : revocationEndpointOf(server);
  if (server === undefined || endpoint === null) return false;
  const method = selectClientAuthMethod(information, server.token_endpoint_auth_methods_supported ?? []);
  const secret = information.client_secret ?? '';
  const said = async (token: string, hint: 'access_token' | 'refresh_token') => {
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    if (method === 'client_secret_basic')
      headers.set('authorization', `Basic ${btoa(`${encodeURIComponent(information.client_id)}:${encodeURIComponent(secret)}`)}`);
    else body.set('client_id', information.client_id);
    if (method === 'client_secret_post') body.set('client_secret', secret);
    const response = await fetchFn(endpoint, { method: 'POST', headers, body: body.toString() });
    await response.body?.cancel();
    return response.ok;
  };
  const refresh = tokens.refresh_token === undefined || (await said(tokens.refresh_token, 'refresh_token'));
  return (await said(tokens.access_token, 'access_token')) && refresh;
}
