import { createECDH, createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration, InteractionResults, KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import type { AuthorizationRequest, AuthorizationServer } from '#app/contracts/clients/authorization.ts';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';
import type { GuardedFetch, Log } from '#app/contracts/ports.ts';
import { isServedResource, leastScopes } from '#app/domain/people/served-resource.ts';
import { DISCOVERY, MOUNT } from '#app/platform/authorization/authorization-paths.ts';
import { createRecords, type RecordDeps } from '#app/platform/authorization/authorization-records.server.ts';
import { deriveKey } from '#app/platform/crypto.server.ts';
import { cookieIn } from '#app/platform/i18n/preference-cookies.server.ts';

export type AuthorizationServerOptions = RecordDeps & {
  /** Public origin, without a trailing slash. */
  origin: string;
  secretKey: string;
  /** Reads the documents by which clients name themselves. */
  fetch: GuardedFetch;
  /** Counts a registration against the address that it comes from: 0, or the seconds to wait. */
  takeRegistration(address: string): Promise<number>;
  log: Log;
};

/** Also answers the addresses under `/oauth`, and the document that names them. `address`: the other end, as the server trusts it. */
export type ServedAuthorization = AuthorizationServer & {
  handle(request: IncomingMessage & { originalUrl?: string }, response: ServerResponse, address: string): Promise<void>;
};

/** Where the person is asked. The cookie that binds the request to the browser goes with the page and its data alone. */
const ASKED_AT = '/dashboard/account/authorize';
const REQUEST_COOKIE = 'oauth_request';
const SESSION_COOKIE = 'oauth_session';
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const ACCESS_TOKEN_S = 10 * MINUTE;
/** For a client that shows its tokens' end: they are renewed until the key that the consent made ends. */
export const GRANT_DAYS = 90;

/**
 * oidc-provider behind our own sign-in, consent and keys: it speaks the protocol (OAuth 2.1, PKCE, RFC 7591, 7009, 8414, 8707, 9126, 9207, client
 * id metadata documents), we say who a person is and what they may give. Loaded with the first request: 45 MB that few instances need.
 */
export function createAuthorizationServer(options: AuthorizationServerOptions): ServedAuthorization {
  const { origin } = options;
  const issuer = `${origin}${MOUNT}`;
  let opening: Promise<Provider> | undefined;
  const open = () => {
    opening ??= openProvider(issuer, options).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const settle = async (id: string, result: (provider: Provider, params: Params) => InteractionResults | Promise<InteractionResults>) => {
    const provider = await open();
    const interaction = await provider.Interaction.find(id);
    if (interaction === undefined) return null;
    interaction.result = await result(provider, interaction.params);
    await interaction.persist();
    return interaction.returnTo;
  };
  return {
    issuer,
    async readRequest(id, cookieHeader) {
      // Whoever began it elsewhere would be given what this person grants.
      if (cookieIn(cookieHeader ?? '', REQUEST_COOKIE) !== id) return null;
      const provider = await open();
      const interaction = await provider.Interaction.find(id);
      const client =
        typeof interaction?.params.client_id === 'string' ? await provider.Client.find(interaction.params.client_id) : undefined;
      if (interaction === undefined || client === undefined) return null;
      return requestOf(id, interaction.params, { id: client.clientId, name: client.clientName }, origin);
    },
    accept: (id, { accountId, grantId, scopes }) =>
      settle(id, async (provider, params) => {
        const clientId = String(params.client_id);
        const grant = new provider.Grant({ jti: grantId, accountId, clientId } as ConstructorParameters<Provider['Grant']>[0]);
        grant.addResourceScope(resourceOf(params, origin), scopes.join(' '));
        await grant.save();
        return { login: { accountId, remember: false }, consent: { grantId } };
      }),
    refuse: (id) => settle(id, () => ({ error: 'access_denied', error_description: 'The person has refused.' })),
    async handle(request, response, address) {
      const registers = request.method === 'POST' && request.url?.startsWith(`${MOUNT}/reg`) === true;
      const wait = registers ? await options.takeRegistration(address) : 0;
      if (wait > 0) return void response.writeHead(429, { 'Retry-After': String(wait) }).end();
      await answer(await open(), request, response, new URL(origin));
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

const resourceOf = ({ resource }: Params, origin: string) => (typeof resource === 'string' ? resource : `${origin}/api/v1`);

function requestOf(id: string, params: Params, client: { id: string; name: string | undefined }, origin: string): AuthorizationRequest {
  const asked = String(params.scope ?? '').split(' ');
  const redirect = new URL(String(params.redirect_uri));
  return {
    id,
    client: {
      id: client.id,
      name: (client.name ?? '').trim().slice(0, 80) || redirect.host,
      returnHost: redirect.host || redirect.protocol,
    },
    resource: resourceOf(params, origin),
    scopes: API_KEY_SCOPES.filter((scope) => asked.includes(scope)),
  };
}

async function openProvider(issuer: string, options: AuthorizationServerOptions): Promise<Provider> {
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider');
  const { Check, Prompt } = interactionPolicy;
  // A client is asked about each time: nobody is signed in here but by the product's own session.
  const unless = (isThere: (ctx: KoaContextWithOIDC) => boolean, name: 'login' | 'consent') =>
    new Prompt({ name, requestable: true }, new Check('asked', 'the person is asked', `${name}_required`, (ctx) => !isThere(ctx)));
  const policy = [
    unless((ctx) => ctx.oidc.result?.login !== undefined, 'login'),
    unless((ctx) => ctx.oidc.result?.consent !== undefined, 'consent'),
  ] as unknown as interactionPolicyOf;
  const provider = new OidcProvider(issuer, {
    ...settingsOf(issuer, options),
    adapter: (kind) => createRecords(kind, options, () => new errors.InvalidGrant('it was used before')),
    interactions: { policy, url: (_ctx, interaction) => `${ASKED_AT}/${interaction.uid}` },
    features: {
      ...FEATURES,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${options.origin}/api/v1`,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (!isServedResource(resource, options.origin)) throw new errors.InvalidTarget();
          return {
            scope: API_KEY_SCOPES.join(' '),
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_S,
            accessTokenFormat: 'opaque',
          };
        },
      },
    },
  });
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => options.log.error('an authorization request failed', { error }));
  const refused = (at: string) => (ctx: KoaContextWithOIDC, error: { error?: string; error_description?: string }) =>
    options.log.warn('a client was refused', { at, client: ctx.oidc.client?.clientId, error: error.error, why: error.error_description });
  provider.on('authorization.error', refused('authorization'));
  provider.on('grant.error', refused('token'));
  provider.on('registration_create.error', refused('registration'));
  return provider;
}
type interactionPolicyOf = NonNullable<NonNullable<Configuration['interactions']>['policy']>;

/** No grant but by a person's consent, no secret in an address, nothing that the product does not need. */
const FEATURES: Configuration['features'] = {
  devInteractions: { enabled: false },
  // Our resources check no proof of possession.
  dPoP: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: true },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
};

function settingsOf(issuer: string, { secretKey, fetch, log }: AuthorizationServerOptions): Configuration {
  const secure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  return {
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    jwks: { keys: [signingKey(secretKey)] },
    cookies: {
      keys: [deriveKey(secretKey, 'authorization-cookies/v1').toString('base64url')],
      names: { session: SESSION_COOKIE, interaction: REQUEST_COOKIE, resume: 'oauth_resume' },
      long: { ...cookie, path: MOUNT },
      short: { ...cookie, path: ASKED_AT },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: MINUTE,
      Grant: GRANT_DAYS * DAY,
      Interaction: 10 * MINUTE,
      RefreshToken: 30 * DAY,
      Session: MINUTE,
      PushedAuthorizationRequest: MINUTE,
    },
    scopes: ['offline_access', ...API_KEY_SCOPES],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    allowOmittingSingleRegisteredRedirectUri: false,
    // The library checks addresses after connecting, by a dispatcher of its own: the guarded fetch does so before.
    fetch: (url, init) => {
      const { dispatcher: _, ...rest } = (init ?? {}) as RequestInit & { dispatcher?: unknown };
      return fetch(url, rest);
    },
    renderError(ctx, out) {
      log.warn('an authorization request was refused', { error: out.error, why: out.error_description });
      ctx.redirect(`${ASKED_AT}/refused?${new URLSearchParams({ error: out.error })}`);
    },
  };
}

/** The same secret always gives the same key. No token of a resource is signed with it: those are looked up. */
function signingKey(secretKey: string) {
  const pair = createECDH('prime256v1');
  const secret = deriveKey(secretKey, 'authorization-signer/v1');
  // Above the order of the curve, once in four billion, it would be no key.
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const kid = createHash('sha256').update(point).digest('base64url').slice(0, 16);
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y, d: secret.toString('base64url') };
}

/** The library reads the address below its mount, and the origin from headers that only this sets. */
async function answer(
  provider: Provider,
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  origin: URL,
): Promise<void> {
  const { url = '/' } = request;
  const below = url.startsWith(DISCOVERY)
    ? `/.well-known/oauth-authorization-server`
    : withLeastScopes(url.slice(MOUNT.length) || '/', origin.origin);
  request.originalUrl = `${MOUNT}${below}`;
  request.url = below;
  // The library's own session would bind an answer to whoever answered before in this browser, and refuse it once that was over.
  request.headers.cookie = withoutCookie(request.headers.cookie ?? '', SESSION_COOKIE);
  request.headers.host = origin.host;
  request.headers['x-forwarded-host'] = origin.host;
  request.headers['x-forwarded-proto'] = origin.protocol.slice(0, -1);
  await provider.callback()(request, response);
}

/** A client that names no scope would be granted none. */
function withLeastScopes(below: string, origin: string): string {
  const url = new URL(below, origin);
  if (url.pathname !== '/auth' || url.searchParams.has('scope') || url.searchParams.has('request_uri')) return below;
  url.searchParams.set('scope', leastScopes(url.searchParams.get('resource') ?? '', origin).join(' '));
  return `${url.pathname}${url.search}`;
}

function withoutCookie(header: string, name: string): string {
  const pairs = header.split(/;\s*/).filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  return pairs.join('; ');
}
