import { randomBytes } from 'node:crypto';
import { href, type LoaderFunctionArgs, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import type { CompanyClaims } from '#app/contracts/company-sign-in.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { personIn } from '#app/domain/people/company-sign-in.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { type Admission, admitPerson } from '#app/engine/commands/sign-in/admit-person.ts';
import { noteCompanySession } from '#app/engine/commands/sign-in/note-company-session.ts';
import type { ReadProvider } from '#app/engine/company/company-provider.ts';
import { keepOnce } from '#app/engine/company/one-time.ts';
import { linkCookie, randomSecret } from '#app/features/auth/company/company-cookie.server.ts';
import { refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';

type Context = Readonly<RouterContextProvider>;
type Vouched = { provider: ReadProvider; claims: CompanyClaims; next: string };

const LINK_SECONDS = 1800;
export const LINK = 'link';
/** Of an account that is to prove itself. */
export const linkSchema = z.object({
  subject: z.string(),
  sid: z.string().nullable(),
  amr: z.array(z.string()),
  acr: z.string().nullable(),
  authTime: z.number().nullable(),
  email: z.string(),
  name: z.string(),
  groups: z.array(z.string()).nullable(),
  providerName: z.string(),
  workspaceName: z.string(),
  next: z.string(),
});
export type PendingLink = z.infer<typeof linkSchema>;

/** A session for whoever the provider has vouched for, or the way to one. */
export async function openCompanySession(args: Pick<LoaderFunctionArgs, 'context' | 'request'>, vouched: Vouched): Promise<Response> {
  const { context, request } = args;
  const { provider, claims, next } = vouched;
  const admitted = await admit(context, vouched);
  if (admitted.outcome === 'prove') return askForProof(context, vouched);
  if (admitted.outcome === 'make') return refuseCompany(context, { provider: provider.id, reason: 'setup' });
  if (admitted.outcome !== 'in') return refuseCompany(context, { provider: provider.id, reason: admitted.outcome });
  const opened = admitted.opened;
  if (opened.error !== null) throw new Error(`the account service opened no session: ${opened.error.code ?? opened.error.name}`);
  const services = context.get(servicesContext);
  const token = opened.data.session === null ? null : await services.identity.verifyAccessToken(opened.data.session.access_token);
  if (token === null) throw new Error('the account service answered a session that does not verify');
  const { subject, sid, amr, acr, authTime } = claims;
  const said = { subject, sid, amr, acr, authTime };
  await performAsNobody(noteCompanySession, services, { provider: provider.id, user: token.userId, session: token.sessionId, ...said });
  const url = new URL(`${services.origin}${href('/auth')}?${new URLSearchParams({ next })}`);
  return openAccount({ request, url, context }, opened.data);
}

type Opened = Awaited<ReturnType<typeof verify>>;
type Admitted = { outcome: Exclude<Admission, 'in'> } | { outcome: 'in'; opened: Opened };

/** A second sign-in of the same person, or their request for a new password, takes the place of the first one's hash: it is made once more. */
async function admit(context: Context, vouched: Vouched): Promise<Admitted> {
  const first = await admitOnce(context, vouched);
  return first.outcome === 'in' && first.opened.error !== null ? admitOnce(context, vouched) : first;
}

async function admitOnce(context: Context, { provider, claims }: Vouched): Promise<Admitted> {
  const services = context.get(servicesContext);
  const { companySessions } = services.identity;
  const person = personIn(claims.claims, provider.names, provider.emailsVerified);
  const given = { provider: provider.id, subject: claims.subject, ...person, proven: null };
  if (companySessions === 'database') {
    const hash = randomBytes(32).toString('hex');
    const { outcome } = await performAsNobody(admitPerson, services, { ...given, hash });
    return outcome === 'in' ? { outcome, opened: await verify(context, hash) } : { outcome };
  }
  if (companySessions === null) return { outcome: 'make' };
  let admitted = await performAsNobody(admitPerson, services, { ...given, hash: null });
  if (admitted.outcome === 'make' && person.email !== null) {
    await companySessions.makeAccount({ email: person.email, name: person.name });
    admitted = await performAsNobody(admitPerson, services, { ...given, hash: null });
  }
  if (admitted.outcome !== 'in') return { outcome: admitted.outcome };
  return { outcome: 'in', opened: await verify(context, await companySessions.issueHash(admitted.email ?? '')) };
}

function verify(context: Context, hash: string) {
  return context.get(authContext).client.auth.verifyOtp({ token_hash: hash, type: 'magiclink' });
}

/** Keeps what the provider said until the account of this address has signed in once as before. */
async function askForProof(context: Context, { provider, claims, next }: Vouched): Promise<Response> {
  const { access, engine } = context.get(servicesContext);
  const { email, name, groups } = personIn(claims.claims, provider.names, provider.emailsVerified);
  const { subject, sid, amr, acr, authTime } = claims;
  const pending: PendingLink = {
    ...{ subject, sid, amr, acr, authTime, name, groups, next },
    email: email ?? '',
    providerName: provider.name,
    workspaceName: provider.workspace.name,
  };
  const secret = randomSecret();
  await access.asNobody((db) => keepOnce(db, engine.sealer, { provider: provider.id, secret, purpose: LINK }, pending, LINK_SECONDS));
  return redirect(href('/sign-in/company/link'), {
    status: 303,
    headers: { 'Set-Cookie': linkCookie(secret, context.get(clientContext).secure) },
  });
}
