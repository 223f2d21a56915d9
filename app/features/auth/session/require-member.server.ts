import { data, href, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { answerOver } from '#app/components/live/event-stream.server.ts';
import { workspaceCookie } from '#app/components/look/workspace-cookie.ts';
import type { SessionUser } from '#app/contracts/identity.ts';
import type { Membership } from '#app/contracts/principals.ts';
import {
  authContext,
  clientContext,
  memberContext,
  membershipsContext,
  requestIdContext,
  servicesContext,
  storedTextsContext,
} from '#app/contracts/request-context.ts';
import { STORED_TEXTS, TEXTS_PARAM } from '#app/domain/demo/demo-texts.ts';
import { AppError } from '#app/domain/errors.ts';
import { WORKSPACE_PARAM } from '#app/domain/people/notifications.ts';
import { CONFIRMED_WORKSPACE_FIELD } from '#app/domain/web/preserved-form.ts';
import { ownInvitation } from '#app/engine/account/own-invitation.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { noteSession } from '#app/engine/commands/sessions/note-session.ts';
import { UNREAD_COUNT_LIMIT } from '#app/engine/notifications/count-unread.ts';
import { isOnPasswordAlone, needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';
import { chosenMembership, findOwner } from '#app/features/auth/session/chosen-workspace.server.ts';
import { ensureAccount } from '#app/features/auth/session/ensure-account.server.ts';
import { givenBack, outage, postedForm } from '#app/features/auth/session/posted-form.server.ts';
import { factorPath, NO_WORKSPACE, signInAgainPath, signInPath } from '#app/features/auth/session/return-path.ts';
import { isSightingDue } from '#app/features/auth/session-sightings.server.ts';

type Guarded = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/**
 * Middleware of `/dashboard/*`: who is not signed in goes to sign in and comes back; everyone else gets a member, in the workspace of the
 * cookie or in their first. A form that was posted without a session, or from another workspace, is given back whole.
 */
export const requireMember: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const guarded = { request, url, context };
  const { user } = context.get(authContext);
  if (user === null) throw await turnAway(guarded);
  const { engine, now } = context.get(servicesContext);
  // A recovery link proves the mailbox, not the password: first the new password, then the app.
  if (isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now())) throw redirect(href('/reset-password'));
  const memberships = await loadOrTurnAway(guarded, user);
  if (memberships[0].owesFactor && isOnPasswordAlone(context, user)) throw await askForFactor(guarded);
  const form = await postedForm(request);
  const current = await chooseWorkspace(guarded, memberships, form);
  if (current.owesCompany) throw await askForCompanySignIn(guarded, current);
  if (current.owesSession !== null) throw await leadToStep(guarded, current.owesSession, current);
  // A stream that a page opens by itself is no use of the session.
  if (request.headers.get('Accept') !== 'text/event-stream') noteSighting(guarded, user, current);
  const { access } = context.get(servicesContext);
  context.set(membershipsContext, memberships);
  context.set(storedTextsContext, url.searchParams.get(TEXTS_PARAM) === STORED_TEXTS);
  context.set(
    memberContext,
    access.createMemberAccess({
      userId: user.id,
      sessionId: user.sessionId,
      address: context.get(clientContext).address,
      email: current.email,
      name: current.name,
      roles: current.roles,
      workspace: current.workspace,
    }),
  );
  const response = await next();
  if (response.status === 403) noteRefusal(guarded, user, current);
  if (response.status === 404 && isPageOpened(request)) return (await leadToOwner(guarded, user, memberships, current)) ?? response;
  return response;
};

/** A page that a person opens. What an open page asks for on its own must not change the workspace under the hands of another tab. */
function isPageOpened(request: Request): boolean {
  return request.method === 'GET' && (request.headers.get('Accept') ?? '').includes('text/html');
}

/** The same address in the workspace that has the thing: a link in a mail does not know where its reader worked last. */
async function leadToOwner(
  { url, context }: Guarded,
  user: SessionUser,
  memberships: readonly Membership[],
  current: Membership,
): Promise<Response | null> {
  const others = memberships.filter((membership) => membership !== current);
  const who = { ...user, address: context.get(clientContext).address };
  const owner = await findOwner(context.get(servicesContext).access, who, others, url.pathname);
  return owner === null ? null : switchedTo(owner, `${url.pathname}${url.search}`, context);
}

function switchedTo({ workspace }: Membership, path: string, context: Guarded['context']): Response {
  return redirect(path, { headers: { 'Set-Cookie': workspaceCookie(workspace.id, context.get(clientContext).secure) } });
}

/** A refusal with person and address. Not in the audit log, which nobody may fill by asking for things they may not have. */
function noteRefusal({ request, url, context }: Guarded, user: SessionUser, { workspace }: Membership): void {
  const { method } = request;
  const what = { method, path: url.pathname, request: context.get(requestIdContext) };
  context.get(servicesContext).log.warn('refused', { user: user.id, workspace: workspace.id, ...what });
}

async function loadOrTurnAway(guarded: Guarded, user: SessionUser): Promise<[Membership, ...Membership[]]> {
  const { access, identity } = guarded.context.get(servicesContext);
  const { address } = guarded.context.get(clientContext);
  const load = () => access.membershipsOf({ userId: user.id, sessionId: user.sessionId, countUpTo: UNREAD_COUNT_LIMIT, address });
  try {
    let [first, ...rest] = await load();
    if (first === undefined) {
      // Who is in no workspace yet is in none by a password alone either.
      if (await needsSecondFactor(guarded.context, user)) throw await askForFactor(guarded);
      await ensureAccount(guarded.context, user, await nameAtSignUp(guarded.context));
      [first, ...rest] = await load();
    }
    if (first !== undefined) return [first, ...rest];
    const invitation = await access.asNobody((db) => ownInvitation(db, user, null));
    if (invitation === null) throw redirect(`${href('/auth/sign-out')}?${NO_WORKSPACE}`);
    throw redirect(href('/invitations/:token', { token: invitation.id }));
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') {
      // Ended on another device: the cookie is worth nothing any longer.
      const cleared = identity.clearCookie(guarded.request.headers.get('Cookie'), guarded.context.get(clientContext).secure);
      for (const [name, value] of cleared) guarded.context.get(authContext).headers.append(name, value);
      throw await turnAway(guarded);
    }
    if (error instanceof AppError && error.code === 'unavailable') throw await outage(guarded, error);
    if (error instanceof AppError) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}

/** The name given at sign-up, for a workspace that is founded later: after an invitation was declined, or the last membership ended. */
async function nameAtSignUp(context: Guarded['context']): Promise<string | undefined> {
  const { data } = await context.get(authContext).client.auth.getUser();
  const name: unknown = data.user?.user_metadata.name;
  return typeof name === 'string' ? name : undefined;
}

/** After the request, which does not wait for it: a list of sessions that is a minute old does no harm. */
function noteSighting({ request, context }: Guarded, user: SessionUser, { workspace }: Membership): void {
  const services = context.get(servicesContext);
  const { now, log } = services;
  if (!isSightingDue(user.sessionId, workspace.id, now().getTime())) return;
  const browser = request.headers.get('User-Agent') ?? '';
  performAsNobody(noteSession, services, { user: user.id, session: user.sessionId, browser, workspace: workspace.id }).catch(
    (error: unknown) => log.error('a session could not be noted', { error }),
  );
}

/** A page can be opened again after signing in; a posted form would be lost, so it is given back instead. */
async function turnAway({ request, url }: Guarded): Promise<unknown> {
  if (request.headers.get('Accept') === 'text/event-stream') return answerOver();
  if (request.method === 'GET' || request.method === 'HEAD') return redirect(signInPath(`${url.pathname}${url.search}`));
  const form = await postedForm(request);
  return givenBack('sessionOver', `${url.pathname}${url.search}`, form ?? new FormData(), { status: 401 });
}

/** A password alone opens nothing where there is a second factor. */
async function askForFactor({ request, url }: Guarded): Promise<unknown> {
  const path = `${url.pathname}${url.search}`;
  if (request.method === 'GET' || request.method === 'HEAD') return redirect(factorPath(path));
  return givenBack('sessionOver', path, (await postedForm(request)) ?? new FormData(), { status: 401 });
}

/** The workspace lets its people in by its own provider. Others of theirs stay open. */
async function askForCompanySignIn({ request, url }: Guarded, { workspace }: Membership): Promise<unknown> {
  const path = `${url.pathname}${url.search}`;
  if (request.method === 'GET' || request.method === 'HEAD')
    return redirect(`${href('/sign-in/company')}?${new URLSearchParams({ workspace: workspace.id, next: path })}`);
  return givenBack('sessionOver', path, (await postedForm(request)) ?? new FormData(), { status: 401 });
}

/** What the workspace asks of a session, and this one has not: the step is shown, and leads back. A posted form is given back whole. */
async function leadToStep({ request, url }: Guarded, owed: 'again' | 'factor' | 'address', { workspace }: Membership): Promise<unknown> {
  if (request.headers.get('Accept') === 'text/event-stream') return answerOver();
  const path = `${url.pathname}${url.search}`;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return givenBack('sessionOver', path, (await postedForm(request)) ?? new FormData(), { status: 401 });
  const steps = {
    again: signInAgainPath(path),
    factor: `${href('/auth/factor/setup')}?${new URLSearchParams({ next: path })}`,
    address: `${href('/auth/elsewhere')}?${new URLSearchParams({ workspace: workspace.id })}`,
  };
  return redirect(steps[owed]);
}

async function chooseWorkspace(
  { request, url, context }: Guarded,
  memberships: [Membership, ...Membership[]],
  form: FormData | null,
): Promise<Membership> {
  const byId = (id: unknown) => memberships.find((membership) => membership.workspace.id === id);
  const current = chosenMembership(memberships, request.headers.get('Cookie'));
  const named = byId(url.searchParams.get(WORKSPACE_PARAM));
  if (request.method === 'GET' && named !== undefined) {
    const rest = new URLSearchParams(url.search);
    rest.delete(WORKSPACE_PARAM);
    throw switchedTo(named, `${url.pathname}${rest.size === 0 ? '' : `?${rest}`}`, context);
  }
  const formWorkspace = form?.get('workspace');
  if (form === null || typeof formWorkspace !== 'string' || formWorkspace === current.workspace.id) return current;
  const origin = byId(formWorkspace);
  if (origin !== undefined && form.get(CONFIRMED_WORKSPACE_FIELD) === formWorkspace) {
    context.get(authContext).headers.append('Set-Cookie', workspaceCookie(origin.workspace.id, context.get(clientContext).secure));
    return origin;
  }
  const { id, name } = current.workspace;
  const from = origin === undefined ? null : { id: origin.workspace.id, name: origin.workspace.name };
  throw givenBack('otherWorkspace', `${url.pathname}${url.search}`, form, { status: 409, workspaces: { from, now: { id, name } } });
}
