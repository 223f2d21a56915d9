import { href, type LoaderFunctionArgs, redirect } from 'react-router';
import type { CompanyClaims } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { type ReadProvider, readProvider } from '#app/engine/company/company-provider.ts';
import { keepOnce, TEST_RESULT, takeOnce } from '#app/engine/company/one-time.ts';
import { FLOW, flowSchema } from '#app/features/auth/company/begin-company.server.ts';
import { randomSecret, readBrowser } from '#app/features/auth/company/company-cookie.server.ts';
import { openCompanySession } from '#app/features/auth/company/open-company-session.server.ts';
import { failureOf, refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';

const RESULT_SECONDS = 600;

/**
 * The answer of a provider: taken once, in the browser that it was begun in and within ten minutes, and checked against what was sent.
 * Ends in a session, in the proof of an account, or in the claims of a test.
 */
export async function finishCompany(args: LoaderFunctionArgs): Promise<Response> {
  const { request, url, context } = args;
  const { access, engine, oidc, origin } = context.get(servicesContext);
  const state = url.searchParams.get('state') ?? '';
  const flow = await access.asNobody((db) => takeOnce(db, engine.sealer, { secret: state, purpose: FLOW }, flowSchema));
  if (flow === null) return refuseCompany(context, { provider: null, reason: 'state' });
  const { provider: id, value } = flow;
  const page = value.purpose === 'test' ? href('/dashboard/admin/sign-in/:provider/test', { provider: id }) : undefined;
  const refuse = (reason: Parameters<typeof refuseCompany>[1]['reason'], error?: unknown) =>
    refuseCompany(context, { provider: id, reason, error, ...(page === undefined ? {} : { page }) });
  if (readBrowser(request.headers.get('Cookie')) !== value.browser) return refuse('state');
  const provider = await access.asNobody((db) => readProvider(db, engine.sealer, id));
  if (provider === null || (value.purpose === 'sign_in' && !provider.counts)) return refuse('off');
  const { called } = provider;
  if (called.protocol !== 'oidc') return refuse('state');
  // The address as the provider has it: behind a proxy the one of the request may be another.
  const callback = new URL(`${origin}${url.pathname}${url.search}`);
  let claims: CompanyClaims;
  try {
    claims = await oidc.finish(called, callback, { state, nonce: value.nonce, verifier: value.verifier });
  } catch (error) {
    return refuse(failureOf(error), error);
  }
  return value.purpose === 'test' ? showTest(args, provider, claims) : openCompanySession(args, { provider, claims, next: value.next });
}

/** The claims wait for the admin's own look at them. */
export async function showTest(
  { context }: Pick<LoaderFunctionArgs, 'context'>,
  { id }: ReadProvider,
  claims: CompanyClaims,
): Promise<Response> {
  const { access, engine } = context.get(servicesContext);
  const secret = randomSecret();
  await access.asNobody((db) => keepOnce(db, engine.sealer, { provider: id, secret, purpose: TEST_RESULT }, claims, RESULT_SECONDS));
  return redirect(`${href('/dashboard/admin/sign-in/:provider/test', { provider: id })}?result=${secret}`, { status: 303 });
}
