import { type ActionFunctionArgs, href, type LoaderFunctionArgs, redirect } from 'react-router';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { admitPerson } from '#app/engine/commands/sign-in/admit-person.ts';
import { noteCompanySession } from '#app/engine/commands/sign-in/note-company-session.ts';
import { peekOnce, takeOnce } from '#app/engine/company/one-time.ts';
import { linkCookie, readLink } from '#app/features/auth/company/company-cookie.server.ts';
import { LINK, linkSchema } from '#app/features/auth/company/open-company-session.server.ts';
import { refuseCompany } from '#app/features/auth/company/refuse-company.server.ts';
import { needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { signInPath } from '#app/features/auth/session/return-path.ts';

/** `signIn`: the address to sign in at, where nobody, or somebody else, is signed in. */
export type CompanyLinkView = { email: string; provider: string; workspace: string; signIn: string | null; other: string | null };

/** The account that is to prove itself, and whether whoever is signed in here is it. */
export async function loadCompanyLink({ request, context }: LoaderFunctionArgs): Promise<CompanyLinkView> {
  const { access, engine } = context.get(servicesContext);
  const secret = readLink(request.headers.get('Cookie')) ?? '';
  const found = await access.asNobody((db) => peekOnce(db, engine.sealer, { secret, purpose: LINK }, linkSchema));
  if (found === null) throw redirect(`${href('/sign-in/company')}?failed=state`);
  const { user } = context.get(authContext);
  const { email, providerName, workspaceName } = found.value;
  const isIt = user !== null && user.email.toLowerCase() === email;
  return {
    email,
    provider: providerName,
    workspace: workspaceName,
    signIn: isIt ? null : signInPath(href('/sign-in/company/link')),
    other: user === null || isIt ? null : user.email,
  };
}

/** Connects the account that is signed in with what the provider said, once and on its owner's word. */
export async function linkCompany({ request, context }: ActionFunctionArgs): Promise<Response> {
  const services = context.get(servicesContext);
  const { access, engine } = services;
  const { user } = context.get(authContext);
  if (user === null) return redirect(href('/sign-in/company/link'), { status: 303 });
  // The session stands, and is no recovery's.
  await access.asMember({ userId: user.id, sessionId: user.sessionId, workspaceId: null }, async () => undefined);
  if (await needsSecondFactor(context, user)) return refuseCompany(context, { provider: null, reason: 'second_factor' });
  const secret = readLink(request.headers.get('Cookie')) ?? '';
  const found = await access.asNobody((db) => takeOnce(db, engine.sealer, { secret, purpose: LINK }, linkSchema));
  if (found === null) return refuseCompany(context, { provider: null, reason: 'state' });
  const { provider, value } = found;
  const { email, name, groups, subject, sid, amr, acr, authTime, next } = value;
  const proved = { provider, subject, email, verified: false, name, groups, proven: user.id, hash: null };
  const { outcome } = await performAsNobody(admitPerson, services, proved);
  if (outcome !== 'in')
    return refuseCompany(context, { provider, reason: outcome === 'prove' || outcome === 'make' ? 'other_account' : outcome });
  await performAsNobody(noteCompanySession, services, {
    provider,
    user: user.id,
    session: user.sessionId,
    subject,
    sid,
    amr,
    acr,
    authTime,
  });
  return redirect(next, { status: 303, headers: { 'Set-Cookie': linkCookie(null, context.get(clientContext).secure) } });
}
