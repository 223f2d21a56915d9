import { createRemoteJWKSet, errors, customFetch as joseFetch, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import {
  type CompanyClaims,
  type CompanyLogout,
  type CompanyOidc,
  type CompanyProvider,
  CompanySignInError,
} from '#app/contracts/company-sign-in.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';

const TIMEOUT_SECONDS = 10;
/** The provider's own description is read again after this. */
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 200;
/** Signatures that a provider's published key proves. No shared secret, and never none (RFC 8725, section 3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_MAX_AGE_SECONDS = 300;

/**
 * OpenID Connect by `openid-client`, through the guarded fetch. An issuer is https, or http on loopback, and then reached only where the
 * instance and the workspace list it.
 */
export function createCompanyOidc(fetch: GuardedFetch): CompanyOidc {
  const known = new LRUCache<string, Promise<oidc.Configuration>>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });

  function configurationOf(provider: CompanyProvider): Promise<oidc.Configuration> {
    const key = JSON.stringify(provider);
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const found = discover(provider, fetchWithin(fetch, provider.network));
    known.set(key, found);
    // A provider that is away now may be back with the next call.
    found.catch(() => known.delete(key));
    return found;
  }

  return {
    begin: (provider, redirectUri, loginHint) =>
      refusing(async () => {
        const configuration = await configurationOf(provider);
        const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
        const server = configuration.serverMetadata();
        const parameters = {
          redirect_uri: redirectUri,
          scope: ['openid', 'email', 'profile', ...(server.scopes_supported?.includes('groups') ? ['groups'] : [])].join(' '),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...(loginHint === null ? {} : { login_hint: loginHint }),
        };
        const pushed = server.pushed_authorization_request_endpoint !== undefined;
        const url = pushed
          ? await oidc.buildAuthorizationUrlWithPAR(configuration, parameters)
          : oidc.buildAuthorizationUrl(configuration, parameters);
        if (!isAllowed(url)) throw new CompanySignInError('configuration');
        return { url: url.href, secrets };
      }),
    finish: (provider, callback, secrets) =>
      refusing(async () => {
        const configuration = await configurationOf(provider);
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined) throw new CompanySignInError('token');
        return claimsOf(idToken, await userinfoOf(configuration, tokens.access_token, idToken.sub));
      }),
    readLogout: (provider, token) =>
      refusing(async () => {
        const { jwks_uri: keys } = (await configurationOf(provider)).serverMetadata();
        if (keys === undefined) throw new CompanySignInError('configuration');
        const within = fetchWithin(fetch, provider.network);
        const keySet = createRemoteJWKSet(new URL(keys), { [joseFetch]: (url, init) => within(url, init) });
        return logoutOf(provider, token, keySet);
      }),
  };
}

type Fetch = (
  url: string,
  init: { method: string; headers: HeadersInit; body?: oidc.FetchBody; signal?: AbortSignal },
) => Promise<Response>;

function fetchWithin(fetch: GuardedFetch, privateNetwork: WorkspaceNetwork): Fetch {
  return async (url, { method, headers, body, signal }) => {
    if (!isAllowed(new URL(url))) throw new CompanySignInError('configuration');
    const sent = body instanceof URLSearchParams ? body.toString() : (body ?? null);
    return fetch(url, { method, headers, body: sent as BodyInit | null, privateNetwork, ...(signal === undefined ? {} : { signal }) });
  };
}

/** Over https, or over http to this very machine, which the guarded fetch allows only where it is listed. */
const isAllowed = (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));

async function discover({ issuer, clientId, secret }: CompanyProvider, fetch: Fetch): Promise<oidc.Configuration> {
  const server = new URL(issuer);
  if (!isAllowed(server)) throw new CompanySignInError('configuration');
  const byPost = oidc.ClientSecretPost(secret);
  const byHeader = oidc.ClientSecretBasic(secret);
  // Basic is what every provider has to take; the form only where it takes nothing else (RFC 6749, section 2.3.1).
  const authenticate: oidc.ClientAuth = (as, client, body, headers) => {
    const methods = as.token_endpoint_auth_methods_supported;
    const form = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
    (form ? byPost : byHeader)(as, client, body, headers);
  };
  const configuration = await oidc.discovery(server, clientId, {}, authenticate, {
    [oidc.customFetch]: fetch,
    timeout: TIMEOUT_SECONDS,
    // Without these the signature of an ID token is left to TLS, and its algorithm is nobody's matter.
    execute: [oidc.enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
  });
  configuration[oidc.customFetch] = fetch;
  return configuration;
}

async function userinfoOf(configuration: oidc.Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return { ...(await oidc.fetchUserInfo(configuration, accessToken, subject)) };
}

function claimsOf(idToken: oidc.IDToken, userinfo: Record<string, unknown>): CompanyClaims {
  const { sub, sid, amr, acr, auth_time: authTime } = idToken;
  return {
    subject: sub,
    sid: typeof sid === 'string' ? sid : null,
    amr: Array.isArray(amr) ? amr.filter((method): method is string => typeof method === 'string') : [],
    acr: typeof acr === 'string' ? acr : null,
    authTime: typeof authTime === 'number' ? authTime : null,
    claims: { ...userinfo, ...idToken },
  };
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. That `id` counts once is for the caller. */
async function logoutOf(
  { issuer, clientId }: CompanyProvider,
  token: string,
  keySet: ReturnType<typeof createRemoteJWKSet>,
): Promise<CompanyLogout> {
  const { payload } = await jwtVerify(token, keySet, {
    issuer,
    audience: clientId,
    typ: 'logout+jwt',
    algorithms: ALGORITHMS,
    maxTokenAge: LOGOUT_MAX_AGE_SECONDS,
    clockTolerance: 5,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { jti, sub, sid, events, iat = 0 } = payload;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const named = typeof sub === 'string' || typeof sid === 'string';
  if (typeof jti !== 'string' || !isLogout || !named || 'nonce' in payload) throw new CompanySignInError('token');
  return { id: jti, subject: sub ?? null, sid: typeof sid === 'string' ? sid : null, expiresAt: iat + 2 * LOGOUT_MAX_AGE_SECONDS };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CompanySignInError ? error : failureOf(error);
  }
}

/** The libraries' errors in our words. What is none of theirs is thrown as it is. */
function failureOf(error: unknown): unknown {
  const inner = innerFailure(error);
  if (inner !== null) return inner;
  if (outgoingCallErrorIn(error) !== null) return new CompanySignInError('unreachable', error);
  if (error instanceof oidc.AuthorizationResponseError) return new CompanySignInError('denied', error);
  if (error instanceof oidc.ResponseBodyError) return new CompanySignInError('code', error);
  if (error instanceof errors.JOSEError) return new CompanySignInError('token', error);
  if (!(error instanceof oidc.ClientError)) return error;
  const claim = claimIn(error);
  if (claim === 'nonce') return new CompanySignInError('nonce', error);
  if (/"iss" \(issuer\)/.test(messagesOf(error)) && claim === null) return new CompanySignInError('issuer', error);
  if (/"state"/.test(messagesOf(error))) return new CompanySignInError('state', error);
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return new CompanySignInError('unreachable', error);
  return new CompanySignInError('token', error);
}

function* chain(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    yield current;
    current = current.cause;
  }
}

const innerFailure = (error: unknown) =>
  [...chain(error)].find((link): link is CompanySignInError => link instanceof CompanySignInError) ?? null;
const messagesOf = (error: unknown) => [...chain(error)].map(({ message }) => message).join(' ');

/** The claim that did not fit, where the library names one. */
function claimIn(error: oidc.ClientError): string | null {
  const { cause } = error;
  const details = cause instanceof Error ? cause.cause : cause;
  return typeof details === 'object' && details !== null && 'claim' in details && typeof details.claim === 'string' ? details.claim : null;
}
