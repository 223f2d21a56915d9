import { type ActionFunctionArgs, href, type RouterContextProvider } from 'react-router';
import type { SamlAnswer, SamlProvider } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { takeAssertion } from '#app/engine/commands/sign-in/take-assertion.ts';
import { type ReadProvider, readProvider, realmOfWorkspace } from '#app/engine/company/company-provider.ts';
import { takeOnce } from '#app/engine/company/one-time.ts';
import { SAML_FLOW, type SamlFlow, samlAt, samlFlowSchema } from '#app/features/auth/company/begin-saml.server.ts';
import { readBrowser } from '#app/features/auth/company/company-cookie.server.ts';
import type { CompanyRefusal } from '#app/features/auth/company/company-failure.ts';
import { showTest } from '#app/features/auth/company/finish-company.server.ts';
import { openCompanySession } from '#app/features/auth/company/open-company-session.server.ts';
import { failureOf, refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';
import { leadsElsewhere, readAnswer, relayedPath } from '#app/features/auth/company/saml-answer.server.ts';

type Context = Readonly<RouterContextProvider>;
/** The state that an answer is checked against; `request` is null where nobody had asked for it. */
type Waiting = { provider: ReadProvider; called: SamlProvider; request: string | null; purpose: SamlFlow['purpose']; next: string };
type Refused = { refused: CompanyRefusal; provider: string | null };

/**
 * An answer of a SAML provider, sent on by our own page: taken once, in the browser that asked for it and within ten minutes; one that nobody
 * asked for only where the provider may begin a sign-in. Ends where every sign-in by a provider does.
 */
export async function finishSaml(args: ActionFunctionArgs): Promise<Response> {
  const { context, request } = args;
  const read = await readAnswer(args);
  if (read instanceof Response) return read;
  const waiting = await findWaiting(context, request, read);
  if ('refused' in waiting) return refuseCompany(context, { provider: waiting.provider, reason: waiting.refused });
  const { provider, called, purpose, next } = waiting;
  const page = purpose === 'test' ? { page: href('/dashboard/admin/sign-in/:provider/test', { provider: provider.id }) } : {};
  const refuse = (reason: CompanyRefusal, error?: unknown) => refuseCompany(context, { provider: provider.id, reason, error, ...page });
  const { origin, saml } = context.get(servicesContext);
  if (purpose === 'sign_in' && !provider.counts) return refuse('off');
  if (leadsElsewhere(read.relay, origin)) return refuse('relay');
  let answer: SamlAnswer;
  try {
    answer = await saml.finish(called, read.answer, waiting.request);
  } catch (error) {
    return refuse(failureOf(error), error);
  }
  const { claims, id, until } = answer;
  const assertion = { provider: provider.id, workspace: provider.workspace.id, issuer: called.issuer, id, until };
  if (!(await performAsNobody(takeAssertion, context.get(servicesContext), assertion))) return refuse('replayed');
  return purpose === 'test' ? showTest(args, provider, claims) : openCompanySession(args, { provider, claims, next });
}

type Read = Exclude<Awaited<ReturnType<typeof readAnswer>>, Response>;

async function findWaiting(context: Context, request: Request, read: Read): Promise<Waiting | Refused> {
  const { access, engine, origin } = context.get(servicesContext);
  const { inResponseTo, workspace } = read;
  if (inResponseTo === null) return findUnsolicited(context, read);
  const flow = await access.asNobody((db) => takeOnce(db, engine.sealer, { secret: inResponseTo, purpose: SAML_FLOW }, samlFlowSchema));
  if (flow === null) return { refused: 'state', provider: null };
  const provider = await access.asNobody((db) => readProvider(db, engine.sealer, flow.provider));
  if (provider?.called.protocol !== 'saml' || provider.workspace.id !== workspace) return { refused: 'state', provider: null };
  const { browser, purpose, next } = flow.value;
  if (readBrowser(request.headers.get('Cookie')) !== browser) return { refused: 'state', provider: provider.id };
  return { provider, called: samlAt(origin, provider, provider.called), request: inResponseTo, purpose, next };
}

/** Nobody asked: the provider that counts in this workspace, if it may begin a sign-in. */
async function findUnsolicited(context: Context, { workspace, issuer, relay }: Read): Promise<Waiting | Refused> {
  const { access, engine, origin, identity } = context.get(servicesContext);
  const realm = await access.asNobody((db) => realmOfWorkspace(db, workspace));
  const provider = realm === null ? null : await access.asNobody((db) => readProvider(db, engine.sealer, realm.provider));
  if (provider?.called.protocol !== 'saml') return { refused: 'unsolicited', provider: null };
  const { id, called } = provider;
  if (!called.settings.idpInitiated) return { refused: 'unsolicited', provider: id };
  if (issuer !== null && issuer !== called.issuer) return { refused: 'issuer', provider: id };
  if (identity.companySessions === null) return { refused: 'setup', provider: null };
  const next = relayedPath(relay, origin);
  return { provider, called: samlAt(origin, provider, called), request: null, purpose: 'sign_in', next };
}
