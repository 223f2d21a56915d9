/** An MCP server behind OAuth: the SDK's server as the resource, `oidc-provider` as the authorization server, both on the loopback interface. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { type StrangerTool, startStrangerServer } from '#tests/support/stranger-peers.ts';

export type OauthPeer = Awaited<ReturnType<typeof startOauthPeer>>;

/** The two do this besides what they are made for; a test changes it as it likes. */
export type OauthWorld = {
  tools: StrangerTool[];
  /** Seconds that an access token lasts. */
  lasts?: number;
  /** Shows a page with a button, in place of an answer without one. */
  asks?: boolean;
  /** The person at the consent page says no. */
  denies?: boolean;
  /** Scope that calls of tools need beside that of reading the list. */
  needs?: string;
  /** Clients that are known beforehand; without any they register themselves. */
  clients?: Configuration['clients'];
  /** Seen before the authorization server: true where it has answered. */
  beforeIssuer?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The same before the MCP server. */
  before?: (request: IncomingMessage, body: string, response: ServerResponse) => boolean;
};

const SCOPES = ['tools', 'more'];

export async function startOauthPeer(world: OauthWorld) {
  const valid = new Map<string, string>();
  let issuer = '';
  const resource = await startStrangerServer({
    tools: world.tools,
    before(request, body, response) {
      if (world.before?.(request, body, response) === true) return true;
      const answer = guard(request, body);
      if (answer === null) return false;
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return true;
    },
  });
  const { origin } = resource;
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const refuse = (status: number, more: string) => ({
    status,
    headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"${more}` },
    body: '',
  });
  function guard(request: IncomingMessage, body: string) {
    if (request.url === new URL(metadata).pathname) {
      const document = { resource: `${origin}/mcp`, authorization_servers: [issuer], scopes_supported: ['tools'] };
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) };
    }
    const scope = valid.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (scope === undefined) return refuse(401, '');
    const lacks = world.needs !== undefined && body.includes('"tools/call"') && !scope.split(' ').includes(world.needs);
    return lacks ? refuse(403, `, error="insufficient_scope", scope="${world.needs}"`) : null;
  }
  let handle = (_request: IncomingMessage, response: ServerResponse): unknown => response.destroy();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (world.beforeIssuer?.(request, response) !== true) handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { provider, refreshes } = authorizationServer(issuer, world, `${origin}/mcp`);
  provider.on('access_token.saved', (token) => valid.set(token.jti, token.scope ?? ''));
  provider.on('access_token.destroyed', (token) => valid.delete(token.jti));
  provider.on('refresh_token.consumed', () => refreshes.push(Date.now()));
  handle = provider.callback();
  return {
    endpoint: `${origin}/mcp`,
    issuer,
    resource,
    /** Method and path of all that the authorization server was asked. */
    asked,
    provider,
    /** One entry for each refresh token that was taken. */
    refreshes,
    /** Access tokens that are taken now. */
    valid,
    stop: async () => {
      await resource.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function authorizationServer(issuer: string, world: OauthWorld, audience: string) {
  const refreshes: number[] = [];
  const provider = new Provider(issuer, {
    clients: world.clients ?? [],
    scopes: ['openid', 'offline_access', ...SCOPES],
    cookies: { keys: ['of a test alone'] },
    ttl: {
      AccessToken: () => world.lasts ?? 3_600,
      AuthorizationCode: 60,
      Grant: 86_400,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 600,
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: world.clients === undefined },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES.join(' '),
          audience,
          accessTokenFormat: 'opaque' as const,
          accessTokenTTL: world.lasts ?? 3_600,
        }),
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const { prompt, params, session } = await provider.interactionDetails(context.req, context.res);

    const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
      provider.interactionFinished(context.req, context.res, result, { mergeWithLastSubmission: true });
    context.respond = false;
    if (world.asks === true && prompt.name === 'consent' && context.method === 'GET') {
      context.respond = true;
      context.type = 'html';
      context.body =
        '<!doctype html><title>Consent</title><h1>May Quorate use your tools?</h1><form method="post"><button>Allow</button></form>';
      return undefined;
    }
    if (world.denies === true) return finish({ error: 'access_denied', error_description: 'no <b>thanks</b>' });
    if (prompt.name === 'login') return finish({ login: { accountId: 'ann' } });
    const grant = new provider.Grant({ accountId: session?.accountId ?? 'ann', clientId: String(params.client_id) });
    grant.addOIDCScope(['openid', 'offline_access', ...SCOPES].join(' '));
    grant.addResourceScope(audience, SCOPES.join(' '));
    return finish({ consent: { grantId: await grant.save() } });
  });
  return { provider, refreshes };
}

/** Walks from an address of the authorization server to the return address as a browser does, with its cookies. Returns that address. */
export async function walkConsent(address: string, returnPath: string): Promise<URL> {
  const jar = new Map<string, string>();
  let at = new URL(address);
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the walk ended with ${response.status}: ${(await response.text()).slice(0, 300)}`);
    at = new URL(location, at);
    if (at.pathname === returnPath) return at;
  }
  throw new Error('the walk has no end');
}
