/** The real routes of identity behind their real middleware, on a real database and auth service, without rendering. */
import { createStaticHandler, type RouteObject, RouterContextProvider, type ServerBuild, type StaticHandlerContext } from 'react-router';
import { noticeMiddleware } from '#app/components/page/notice.server.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { Mail } from '#app/contracts/ports.ts';
import {
  clientContext,
  memberContext,
  nonceContext,
  requestIdContext,
  type Services,
  servicesContext,
} from '#app/contracts/request-context.ts';
import { DEFAULT_RUN_CEILINGS } from '#app/domain/runs/run-limits.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { authMiddleware } from '#app/features/auth/session/auth-middleware.server.ts';
import { requireMember } from '#app/features/auth/session/require-member.server.ts';
import { createSealer } from '#app/platform/crypto.server.ts';
import type { AuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { createDatabaseFiles } from '#app/platform/files/database-files.server.ts';
import { createSupabaseFiles } from '#app/platform/files/supabase-files.server.ts';
import { answerExpectedFailures } from '#app/platform/http/expected-failures.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { createInstanceNetwork, NO_PRIVATE_NETWORK } from '#app/platform/http/private-network.server.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';
import { newId } from '#app/platform/ids.ts';
import { createCompanyOidc } from '#app/platform/oidc/company-oidc.server.ts';
import { createCompanySaml } from '#app/platform/saml/company-saml.server.ts';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import { createPasskeys } from '#app/platform/webauthn/passkeys.server.ts';
import * as apiKey from '#app/routes/api/v1/key.ts';
import * as auth from '#app/routes/auth/auth.tsx';
import * as authCalls from '#app/routes/auth/calls.ts';
import * as companyCallback from '#app/routes/auth/company/callback.ts';
import * as company from '#app/routes/auth/company/company.tsx';
import * as companyLink from '#app/routes/auth/company/link.tsx';
import * as companyLogout from '#app/routes/auth/company/logout.ts';
import * as samlAcs from '#app/routes/auth/company/saml/acs.ts';
import * as samlFinish from '#app/routes/auth/company/saml/finish.ts';
import * as samlMetadata from '#app/routes/auth/company/saml/metadata.ts';
import * as companyStart from '#app/routes/auth/company/start.ts';
import * as confirm from '#app/routes/auth/confirm.tsx';
import * as authElsewhere from '#app/routes/auth/elsewhere.tsx';
import * as authFactor from '#app/routes/auth/factor.tsx';
import * as authFactorSetup from '#app/routes/auth/factor-setup.tsx';
import * as authMail from '#app/routes/auth/mail.tsx';
import * as authPasskey from '#app/routes/auth/passkey.ts';
import * as resetPassword from '#app/routes/auth/reset-password.tsx';
import * as signOut from '#app/routes/auth/sign-out.tsx';
import * as accountApiKeys from '#app/routes/dashboard/account/api-keys.tsx';
import * as accountData from '#app/routes/dashboard/account/data.tsx';
import * as accountDelete from '#app/routes/dashboard/account/delete.tsx';
import * as accountExport from '#app/routes/dashboard/account/export.ts';
import * as accountFactor from '#app/routes/dashboard/account/factor.tsx';
import * as accountHome from '#app/routes/dashboard/account/home.tsx';
import * as accountNewApiKey from '#app/routes/dashboard/account/new-api-key.tsx';
import * as accountNewWorkspace from '#app/routes/dashboard/account/new-workspace.tsx';
import * as accountPasskey from '#app/routes/dashboard/account/passkey.tsx';
import * as accountPasskeys from '#app/routes/dashboard/account/passkeys.tsx';
import * as accountPicture from '#app/routes/dashboard/account/picture.tsx';
import * as accountPreferences from '#app/routes/dashboard/account/preferences.tsx';
import * as accountProfile from '#app/routes/dashboard/account/profile.tsx';
import * as accountRevokeApiKey from '#app/routes/dashboard/account/revoke-api-key.tsx';
import * as accountRevokeApiKeys from '#app/routes/dashboard/account/revoke-api-keys.tsx';
import * as accountSecurity from '#app/routes/dashboard/account/security.tsx';
import * as accountSessions from '#app/routes/dashboard/account/sessions.tsx';
import * as accountWorkspace from '#app/routes/dashboard/account/workspace.ts';
import * as adminApiKeys from '#app/routes/dashboard/admin/api-keys.tsx';
import * as invite from '#app/routes/dashboard/admin/invite.tsx';
import * as memberRoles from '#app/routes/dashboard/admin/member-roles.tsx';
import * as members from '#app/routes/dashboard/admin/members.tsx';
import * as newToken from '#app/routes/dashboard/admin/provisioning/new-token.tsx';
import * as provisioning from '#app/routes/dashboard/admin/provisioning/overview.tsx';
import * as revokeToken from '#app/routes/dashboard/admin/provisioning/revoke-token.tsx';
import * as removeMember from '#app/routes/dashboard/admin/remove-member.tsx';
import * as adminBeginTest from '#app/routes/dashboard/admin/sign-in/begin-test.ts';
import * as adminSignIn from '#app/routes/dashboard/admin/sign-in/home.tsx';
import * as adminNewProvider from '#app/routes/dashboard/admin/sign-in/new.tsx';
import * as adminNewSaml from '#app/routes/dashboard/admin/sign-in/new-saml.tsx';
import * as adminProvider from '#app/routes/dashboard/admin/sign-in/provider.tsx';
import * as adminSaml from '#app/routes/dashboard/admin/sign-in/saml.tsx';
import * as adminProviderTest from '#app/routes/dashboard/admin/sign-in/test.tsx';
import * as approval from '#app/routes/dashboard/approvals/approval.tsx';
import * as approvals from '#app/routes/dashboard/approvals/inbox.tsx';
import * as avatar from '#app/routes/dashboard/avatar.ts';
import * as controlChange from '#app/routes/dashboard/changes/change.tsx';
import * as controlChanges from '#app/routes/dashboard/changes/list.tsx';
import * as scim from '#app/routes/protocol/scim.ts';
import * as invitation from '#app/routes/public/invitation.tsx';
import { openDirectoryAccess, openKeyAccess } from '#app/runtime.server.ts';
import { AUTH_TABLES, createDatabaseStore } from '#tests/mocks/database-store.ts';
import { fetchMocked, MOCK_DEFAULTS } from '#tests/mocks/handlers.ts';
import { MockBackend } from '#tests/mocks/mock-backend.ts';
import { NO_AUTHORIZATION } from '#tests/mocks/no-authorization.ts';
import { TEST_ORIGIN, TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

export const COOKIE = 'sb-test-auth-token';

export type Answer = {
  status: number;
  location: string | null;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  /** Of the deepest route that was loaded. */
  data: unknown;
  action: unknown;
  error: unknown;
};
export type Form = Record<string, string | string[]>;

export type Browser = {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Answer>;
  /** A form with a file, as browsers send one. */
  upload(path: string, form: FormData): Promise<Answer>;
  /** The same person in another browser window that was copied just now. */
  copy(): Browser;
};

export type IdentityApp = {
  db: TestDatabase;
  services: Services;
  auth: AuthBackend;
  mails: Mail[];
  /** Returns the calls to the auth service instead of it, while set. */
  outage: { answer: ((url: string) => Response | null) | null; refreshes: number };
  jwtSecret: string;
  /** The project that stands in for a hosted one; null on the embedded service. */
  mock: MockBackend | null;
  /** `secure`: the public origin is https. */
  browser(address?: string, secure?: boolean): Browser;
  /** A program's call, without cookies. */
  call(path: string, init: RequestInit): Promise<Answer>;
  /** Signs up, follows the mail and comes back signed in. */
  newcomer(email: string, options?: { name?: string; next?: string }): Promise<Browser>;
  /** The path that the newest mail to this address leads to. */
  linkTo(email: string): string;
  close(): Promise<void>;
};

export const PASSWORD = 'correct horse battery';

/** `hosted`: against the handlers of a mocked project instead of the embedded service. */
export async function startIdentityApp({ hosted = false } = {}): Promise<IdentityApp> {
  const db = await createTestDatabase();
  if (hosted) await db.asAuthService(AUTH_TABLES);
  const mock = hosted ? new MockBackend({ ...MOCK_DEFAULTS, siteUrl: TEST_ORIGIN }, createDatabaseStore(db.owner)) : null;
  const backend = await db.startAuth();
  const serviceFetch = mock === null ? backend.fetch : fetchMocked(mock);
  const outage: IdentityApp['outage'] = { answer: null, refreshes: 0 };
  const watchedFetch: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.includes('grant_type=refresh_token')) outage.refreshes += 1;
    return outage.answer?.(url) ?? serviceFetch(input, init);
  };
  const jwtSecret = backend.jwtSecret ?? '';
  const sealer = createSealer(TEST_SECRET_KEY);
  const companyFetch = createGuardedFetch({ privateNetwork: LOOPBACK });
  const services: Services = {
    // Identity asks nothing else of the engine.
    engine: { sealer } as unknown as Engine,
    access: {
      asNobody: (work) => db.database.app(work),
      noteReauthentication: (noted) => db.database.noteReauthentication(noted),
      asMember: (who, work) => db.database.asMember(who, work),
      membershipsOf: (who) => db.database.membershipsOf(who),
      openKey: (keyHash, call) => openKeyAccess(db.database, keyHash, call),
      openDirectory: (tokenHash, { paceCeiling }) => openDirectoryAccess(db.database, tokenHash, paceCeiling),
      asTrigger: (id, work) => db.database.asTrigger(id, false, work),
      createMemberAccess: (member) => {
        const { userId, sessionId, address, workspace } = member;
        const who = { userId, sessionId, address, workspaceId: workspace.id };
        return {
          member,
          read: (work) => db.database.asMember(who, work),
          change: (work) =>
            db.database.asMember(who, async (tx) => {
              const { result, event } = await work(tx);
              await recordEvent(tx, {
                id: newId(),
                actor: { kind: 'member', id: member.userId, name: member.name },
                workspaceId: member.workspace.id,
                entry: event,
              });
              return result;
            }),
        };
      },
    },
    identity: createIdentityBackend(
      mock === null
        ? { mode: 'embedded', url: backend.url, key: backend.anonKey, fetch: watchedFetch, jwtSecret, cookieName: COOKIE }
        : { mode: 'hosted', url: mock.settings.url, key: mock.settings.publishableKey, fetch: watchedFetch, cookieName: COOKIE },
    ),
    log: quietLog,
    mailer: { send: async (mail) => void backend.mails.push(mail) },
    files:
      mock === null
        ? createDatabaseFiles(db.database, newId)
        : createSupabaseFiles({ url: mock.settings.url, secretKey: mock.settings.secretKey, fetch: serviceFetch }),
    scanFile: async () => 'clean',
    oidc: createCompanyOidc(companyFetch),
    saml: createCompanySaml(companyFetch),
    passkeys: createPasskeys(TEST_ORIGIN),
    resolveTxt: async () => [],
    newId,
    now: () => new Date(),
    origin: TEST_ORIGIN,
    operator: null,
    paceCeilings: { keys: 6_000, hooks: 1_200 },
    instanceNetwork: createInstanceNetwork(NO_PRIVATE_NETWORK),
    registration: { kind: 'open' },
    authorization: NO_AUTHORIZATION,
    founders: 'anyone',
    runCeilings: DEFAULT_RUN_CEILINGS,
    mailboxToken: 'the token of a test',
  };
  const handler = createStaticHandler(routes());

  async function send(
    cookies: Map<string, string>,
    { address, secure }: { address: string; secure: boolean },
    path: string,
    init: RequestInit,
  ): Promise<Answer> {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(clientContext, { address, secure });
    context.set(requestIdContext, 'a request of a test');
    context.set(nonceContext, 'a nonce of a test');
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const request = new Request(new URL(path, TEST_ORIGIN), { ...init, headers });
    let seen: StaticHandlerContext | null = null;
    // A route without a screen answers for itself, as the request handler of React Router has it.
    const resource =
      path === '/auth/calls' ||
      path === '/auth/passkey' ||
      /^\/sign-in\/company\/(?:start|callback|logout|saml)\b/.test(path) ||
      path.endsWith('/begin-test') ||
      path.startsWith('/dashboard/avatars/') ||
      path === '/dashboard/account/data/export' ||
      path.startsWith('/api/') ||
      path.startsWith('/scim/');
    const response = resource
      ? await handler.queryRoute(request, { requestContext: context, generateMiddlewareResponse: (query) => query(request) })
      : await handler.query(request, {
          requestContext: context,
          generateMiddlewareResponse: async (query) => {
            const result = await query(request);
            if (result instanceof Response) return result;
            seen = result;
            return new Response(null, { status: result.statusCode });
          },
        });
    if (!(response instanceof Response)) throw new Error('the middleware made no response');
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const state = seen as StaticHandlerContext | null;
    return {
      status: response.status,
      location: response.headers.get('Location'),
      headers: response.headers,
      text: await response.clone().text(),
      bytes: new Uint8Array(await response.arrayBuffer()),
      data: Object.values(state?.loaderData ?? {}).at(-1),
      action: Object.values(state?.actionData ?? {}).at(-1),
      error: Object.values(state?.errors ?? {}).at(-1),
    };
  }

  function browser(from: { address: string; secure: boolean }, cookies: Map<string, string>): Browser {
    return {
      cookies,
      get: (path, headers = {}) => send(cookies, from, path, { headers }),
      post: (path, form, headers = {}) => {
        const body = new URLSearchParams();
        for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) body.append(name, one);
        return send(cookies, from, path, { method: 'POST', body, headers });
      },
      upload: (path, body) => send(cookies, from, path, { method: 'POST', body }),
      copy: () => browser(from, new Map(cookies)),
    };
  }

  let addresses = 0;
  const app: IdentityApp = {
    db,
    services,
    auth: backend,
    mails: backend.mails,
    outage,
    jwtSecret,
    mock,
    // Everyone comes from elsewhere, so that limits by address hold nobody up who is not meant.
    call: (path, init) => send(new Map(), { address: '198.51.100.250', secure: false }, path, init),
    browser: (address = `198.51.100.${++addresses}`, secure = false) => browser({ address, secure }, new Map()),
    linkTo(email) {
      const mail = mock?.mails.findLast(({ to }) => to === email.toLowerCase());
      if (mail !== undefined) return `/auth/confirm?${new URLSearchParams({ token_hash: mail.tokenHash, type: mail.kind })}`;
      const link = /http\S+/.exec(backend.mails.findLast((mail) => mail.to === email.toLowerCase())?.text ?? '')?.[0];
      if (link === undefined) throw new Error(`no mail with a link for ${email}`);
      const { pathname, search } = new URL(link);
      return `${pathname}${search}`;
    },
    async newcomer(email, { name = '', next } = {}) {
      const person = app.browser();
      const wish = next === undefined ? '' : `&next=${encodeURIComponent(next)}`;
      await person.post(`/auth?mode=sign-up${wish}`, { form: 'sign-up', email, password: PASSWORD, name });
      const confirmed = await person.post(app.linkTo(email), { form: 'link' });
      if (confirmed.status !== 303) throw new Error(`confirming answered ${confirmed.status}`);
      return person;
    },
    close: async () => {
      await companyFetch.close();
      await db.close();
    },
  };
  return app;
}

/** Stands for any screen of the app area: says who one is there. */
const anyScreen: RouteObject = {
  path: '*',
  loader: ({ context }) => context.get(memberContext).member,
  action: ({ context }) => context.get(memberContext).member,
};

function routes(): RouteObject[] {
  const route = (path: string, module: object): RouteObject => ({ path, ...handlersOf(module) });
  return [
    {
      id: 'root',
      middleware: [...languageMiddleware, authMiddleware, noticeMiddleware],
      loader: () => null,
      children: [
        route('auth', auth),
        route('auth/confirm', confirm),
        route('auth/mail', authMail),
        route('auth/factor', authFactor),
        route('auth/factor/setup', authFactorSetup),
        route('auth/elsewhere', authElsewhere),
        route('auth/passkey', authPasskey),
        route('auth/sign-out', signOut),
        route('auth/calls', authCalls),
        route('sign-in/company', company),
        route('sign-in/company/start', companyStart),
        route('sign-in/company/callback', companyCallback),
        route('sign-in/company/link', companyLink),
        route('sign-in/company/logout/:workspace', companyLogout),
        route('sign-in/company/saml/:workspace', samlMetadata),
        route('sign-in/company/saml/:workspace/acs', samlAcs),
        route('sign-in/company/saml/:workspace/finish', samlFinish),
        route('reset-password', resetPassword),
        route('invitations/:token', invitation),
        route('api/v1/key', apiKey),
        route('scim/v2/:workspace/*', scim),
        {
          path: 'dashboard',
          middleware: [requireMember],
          loader: () => null,
          children: [
            route('approvals', approvals),
            route('approvals/:approval', approval),
            route('changes', controlChanges),
            route('changes/:change', controlChange),
            route('admin/sign-in', adminSignIn),
            route('admin/sign-in/new', adminNewProvider),
            route('admin/sign-in/new-saml', adminNewSaml),
            route('admin/sign-in/saml', adminSaml),
            route('admin/sign-in/:provider', adminProvider),
            route('admin/sign-in/:provider/test', adminProviderTest),
            route('admin/sign-in/:provider/begin-test', adminBeginTest),
            route('admin/members', members),
            route('admin/members/invite', invite),
            route('admin/members/:user', memberRoles),
            route('admin/members/:user/remove', removeMember),
            route('admin/provisioning', provisioning),
            route('admin/provisioning/new', newToken),
            route('admin/provisioning/:token/revoke', revokeToken),
            route('account', accountHome),
            route('account/workspace', accountWorkspace),
            route('account/workspaces/new', accountNewWorkspace),
            route('account/profile', accountProfile),
            route('account/profile/picture', accountPicture),
            route('avatars/:user', avatar),
            route('account/preferences', accountPreferences),
            route('account/sessions', accountSessions),
            route('account/security', accountSecurity),
            route('account/security/factor', accountFactor),
            route('account/security/passkeys', accountPasskeys),
            route('account/security/passkeys/:passkey', accountPasskey),
            route('account/data', accountData),
            route('account/data/export', accountExport),
            route('account/data/delete', accountDelete),
            route('account/api-keys', accountApiKeys),
            route('account/api-keys/new', accountNewApiKey),
            route('account/api-keys/revoke', accountRevokeApiKeys),
            route('account/api-keys/:key/revoke', accountRevokeApiKey),
            route('admin/api-keys', adminApiKeys),
            { ...anyScreen, path: undefined, index: true },
            anyScreen,
          ],
        },
      ],
    },
  ] as RouteObject[];
}

/** What of a route module is no screen, with expected failures answered as the server answers them. */
function handlersOf(module: object): Pick<RouteObject, 'loader' | 'action' | 'middleware'> {
  const build = { routes: { one: { module } } } as unknown as ServerBuild;
  const { loader, action } = answerExpectedFailures(build).routes.one?.module ?? {};
  const { middleware } = module as Pick<RouteObject, 'middleware'>;
  return { ...(loader ? { loader } : {}), ...(action ? { action } : {}), ...(middleware ? { middleware } : {}) } as RouteObject;
}
