import { href, type LoaderFunctionArgs, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { type ReadProvider, readProvider } from '#app/engine/company/company-provider.ts';
import { keepOnce } from '#app/engine/company/one-time.ts';
import { requestSaml, samlAt } from '#app/features/auth/company/begin-saml.server.ts';
import { browserCookie } from '#app/features/auth/company/company-cookie.server.ts';
import { failureOf, refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { readEmailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

const FLOW_SECONDS = 600;
export const FLOW = 'flow';

/** The values that the answer of the provider is checked against. `test`: nothing changes, and the claims are shown. */
export const flowSchema = z.object({
  nonce: z.string(),
  verifier: z.string(),
  browser: z.string(),
  purpose: z.enum(['sign_in', 'test']),
  next: z.string(),
});

/** Where providers send people back to: one address for the whole instance. */
export const redirectUri = (origin: string) => `${origin}${href('/sign-in/company/callback')}`;

/** Sends the person to the provider of the address. */
export async function startCompany({ request, url, context }: LoaderFunctionArgs): Promise<Response> {
  const provider = z.uuid().safeParse(url.searchParams.get('provider')).data;
  if (provider === undefined) return refuseCompany(context, { provider: null, reason: 'off' });
  const wait = await takeAttempts(context.get(servicesContext).access, [{ limit: 'companyAddress', subject: clientBlock(context) }]);
  if (wait > 0) return refuseCompany(context, { provider: null, reason: 'tooMany' });
  return beginCompany(context, request, { provider, purpose: 'sign_in', next: returnPath(url.searchParams.get('next')) });
}

/** Begins a sign-in by this provider, in this browser, for ten minutes. */
export async function beginCompany(
  context: Readonly<RouterContextProvider>,
  request: Request,
  { provider: id, purpose, next, page }: { provider: string; purpose: 'sign_in' | 'test'; next: string; page?: string },
): Promise<Response> {
  const { access, engine, identity } = context.get(servicesContext);
  const { secure } = context.get(clientContext);
  const refused = page === undefined ? {} : { page };
  const provider = await access.asNobody((db) => readProvider(db, engine.sealer, id));
  if (provider === null || (purpose === 'sign_in' && !provider.counts))
    return refuseCompany(context, { provider: null, reason: 'off', ...refused });
  if (purpose === 'sign_in' && identity.companySessions === null) return refuseCompany(context, { provider: null, reason: 'setup' });
  const cookies = request.headers.get('Cookie');
  const { digest, cookie } = browserCookie(cookies, secure);
  try {
    const url = await addressAt(context, provider, { browser: digest, purpose, next, loginHint: readEmailCookie(cookies) || null });
    return redirect(url, { status: 303, headers: { 'Set-Cookie': cookie } });
  } catch (error) {
    return refuseCompany(context, { provider: id, reason: failureOf(error), error, ...refused });
  }
}

type Begun = { browser: string; purpose: 'sign_in' | 'test'; next: string; loginHint: string | null };

/** Where the person is sent, once what the answer is checked against is kept. */
async function addressAt(
  context: Readonly<RouterContextProvider>,
  provider: ReadProvider,
  { browser, purpose, next, loginHint }: Begun,
): Promise<string> {
  const { access, engine, oidc, origin } = context.get(servicesContext);
  const { called, id } = provider;
  if (called.protocol === 'saml') return requestSaml(context, id, samlAt(origin, provider, called), { browser, purpose, next });
  const { url, secrets } = await oidc.begin(called, redirectUri(origin), loginHint);
  const flow = { nonce: secrets.nonce, verifier: secrets.verifier, browser, purpose, next };
  await access.asNobody((db) => keepOnce(db, engine.sealer, { provider: id, secret: secrets.state, purpose: FLOW }, flow, FLOW_SECONDS));
  return url;
}
