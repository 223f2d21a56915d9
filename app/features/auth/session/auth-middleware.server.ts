import type { MiddlewareFunction } from 'react-router';
import type { AccessTokenClaims, IdentityBackend, RequestAuth } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { isProgramPath } from '#app/domain/web/problem.ts';
import { isServiceDown } from '#app/features/auth/browser/auth-failure.ts';
import { disconnectCompany } from '#app/features/auth/company/disconnect-company.server.ts';
import { changeEmail, changePassword, provePassword } from '#app/features/auth/recovery/change-credentials.server.ts';
import { endSessions } from '#app/features/auth/session/end-sessions.server.ts';
import { outage } from '#app/features/auth/session/posted-form.server.ts';
import { proofWays, reauthenticate } from '#app/features/auth/session/reauthenticate.server.ts';
import { saveProfile } from '#app/features/auth/session/save-profile.server.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

/** Three of the ticks after which an open tab asks: two may be missed. */
const REFRESH_BEFORE_SECONDS = 90;

/**
 * Root middleware: finds out who asks, without a call to the auth service unless the token is about to end, and puts changed
 * cookies on every response, redirects and errors too. Who has no cookie costs nothing. A service that cannot be reached answers 503:
 * nobody is called anonymous, and sent to sign in, because of an outage.
 */
export const authMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const { identity, now } = context.get(servicesContext);
  const { address, secure } = context.get(clientContext);
  // A caller with a key, or at an address for programs, is no browser: a cookie that came along gives it nothing.
  const program = isProgramPath(url.pathname) || /^Bearer /i.test(request.headers.get('Authorization') ?? '');
  const cookieHeader = program ? null : request.headers.get('Cookie');
  const headers = new Headers();
  let opened: ReturnType<IdentityBackend['openClient']> | null = null;
  const auth: RequestAuth = {
    // Made when it is first asked for: most requests of a signed-in person never need it.
    get client() {
      opened ??= identity.openClient({ cookieHeader, secure, clientAddress: address, language: getLanguage(context) });
      return opened.client;
    },
    user: null,
    token: null,
    headers,
    reauthenticate: (proof, noted) => reauthenticate({ request, context }, proof, noted),
    proofWays: () => proofWays(context),
    provePassword: (password) => provePassword(context, password),
    changePassword: (change) => changePassword(context, change),
    changeEmail: (change) => changeEmail(context, change),
    disconnect: (key, proof) => disconnectCompany(context, key, proof),
    endSessions: (scope) => endSessions(context, request, scope),
    saveProfile: (changes) => saveProfile(auth, changes),
  };
  const cookie = identity.readCookie(cookieHeader);
  if (cookie === 'garbled') appendAll(headers, identity.clearCookie(cookieHeader, secure));
  if (typeof cookie === 'object') {
    const claims = await readClaims({ auth, identity, request, url }, cookie, Math.floor(now().getTime() / 1000));
    if (claims !== null) {
      auth.user = { id: claims.userId, email: claims.email, sessionId: claims.sessionId };
      auth.token = { expiresAt: claims.expiresAt, assurance: claims.assurance };
    } else {
      appendAll(headers, identity.clearCookie(cookieHeader, secure));
    }
  }
  context.set(authContext, auth);

  const response = await next();

  // Set last: a sign-in in this very request must win over the clearing of an old cookie.
  appendAll(response.headers, headers);
  if (opened !== null) appendAll(response.headers, (opened as { headers: Headers }).headers);
  if (cookie !== 'absent' || response.headers.has('Set-Cookie')) {
    // Responses that are validated each time may stay in the reader's own browser, unless they carry a cookie.
    if (response.headers.get('Cache-Control') !== 'private, no-cache' || response.headers.has('Set-Cookie'))
      response.headers.set('Cache-Control', 'private, no-store');
    response.headers.append('Vary', 'Cookie');
  }
  return response;
};

type Asked = { auth: RequestAuth; identity: IdentityBackend; request: Request; url: URL };

async function readClaims(
  asked: Asked,
  cookie: { accessToken: string; expiresAt: number },
  nowSeconds: number,
): Promise<AccessTokenClaims | null> {
  const { auth, identity } = asked;
  const present = await orUnavailable(asked, () => identity.verifyAccessToken(cookie.accessToken));
  if (present !== null && present.expiresAt - nowSeconds > REFRESH_BEFORE_SECONDS) return present;
  // A token that is not ours and not old is a forgery or of another instance: there is nothing to refresh.
  if (present === null && cookie.expiresAt - nowSeconds > REFRESH_BEFORE_SECONDS) return null;
  const { data: refreshed, error } = await auth.client.auth.getSession();
  if (refreshed.session !== null) return orUnavailable(asked, () => identity.verifyAccessToken(refreshed.session?.access_token ?? ''));
  if (error !== null && isServiceDown(error)) {
    if (present !== null) return present;
    throw await outage(asked, error);
  }
  return null;
}

async function orUnavailable<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await outage(asked, error);
  }
}

function appendAll(target: Headers, source: Headers): void {
  for (const [name, value] of source) {
    if (name === 'set-cookie') target.append(name, value);
    else target.set(name, value);
  }
}
