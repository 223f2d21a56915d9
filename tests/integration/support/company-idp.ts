/** An identity provider of a company on this machine: `oidc-provider`, whose people sign in without a page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { TEST_ORIGIN } from '#tests/support/database-setup.ts';

export const CLIENT_SECRET = 'a secret that provider and workspace share';

export type CompanyIdp = {
  issuer: string;
  clientId: string;
  /** The person who signs in next, with the provider's claims. */
  person: { sub: string; [claim: string]: unknown };
  /** Makes another ID token of the one that the provider would send; null: sends it as it is. */
  forge: ((payload: JWTPayload, sign: SignJwt) => Promise<string>) | null;
  /** Its own description, changed before it is sent. */
  metadata: Record<string, unknown>;
  /** Signs with the provider's own key. */
  sign: SignJwt;
  /** The address that the person comes back at: follows the redirects from `url` with one browser's cookies. */
  signIn(url: string): Promise<URL>;
  close(): Promise<void>;
};
type SignJwt = (payload: JWTPayload, header?: { typ?: string; alg?: string }) => Promise<string>;

/** `par`: it takes pushed requests. `origin`: of the instance that people come from. */
export async function startCompanyIdp({ par, origin = TEST_ORIGIN }: { par: boolean; origin?: string }): Promise<CompanyIdp> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'company', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = `quorate-${par ? 'pushed' : 'plain'}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: clientId,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${origin}/sign-in/company/callback`],
        backchannel_logout_uri: `${origin}/sign-in/company/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'email', 'email_verified', 'name', 'groups', 'acr', 'amr', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      pushedAuthorizationRequests: { enabled: par },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...idp.person, sub }) }),
    cookies: { keys: ['a key of a test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  });
  const sign: SignJwt = (payload, header = {}) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'company', ...header }).sign(privateKey);
  provider.use(async (context, next) => {
    await next();
    const body: unknown = context.body;
    if (typeof body !== 'object' || body === null) return;
    if (context.path === '/.well-known/openid-configuration') context.body = { ...body, ...idp.metadata };
    if (context.path === '/token' && idp.forge !== null && 'id_token' in body && typeof body.id_token === 'string')
      context.body = { ...body, id_token: await idp.forge(decodeJwt(body.id_token), sign) };
  });
  const handle = provider.callback();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/interaction/') !== true) return void handle(request, response);
    const { prompt, params, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, {
        login: { accountId: idp.person.sub, acr: 'urn:company:one', amr: ['pwd', 'otp'] },
      });
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({ accountId: idp.person.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
  }

  const idp: CompanyIdp = {
    issuer,
    clientId,
    person: { sub: 'nobody' },
    forge: null,
    metadata: {},
    sign,
    async signIn(url) {
      const cookies = new Map<string, string>();
      let at = new URL(url);
      for (let hop = 0; hop < 10; hop += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const to = reply.headers.get('location');
        if (to === null) throw new Error(`the provider answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`);
        at = new URL(to, at);
        if (at.origin !== issuer) return at;
      }
      throw new Error('the provider does not come back');
    },
    close: () =>
      new Promise<void>((closed, failed) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? closed() : failed(error)));
      }),
  };
  return idp;
}
