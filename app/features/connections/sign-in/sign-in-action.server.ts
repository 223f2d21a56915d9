import { data, redirect } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { type SignInChallenge, SignInError } from '#app/contracts/sign-ins.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { beginSignIn } from '#app/engine/commands/connections/sign-ins/begin-sign-in.ts';
import { endSignIn } from '#app/engine/commands/connections/sign-ins/end-sign-in.ts';
import { setSignIn } from '#app/engine/commands/connections/sign-ins/set-sign-in.ts';
import { challengeOf } from '#app/engine/connections/sign-ins/find-sign-in.ts';
import { workspaceNetwork } from '#app/engine/workspaces/workspace-network.ts';
import { readSignIn, type SignInArguments } from '#app/features/connections/sign-in/load-sign-in.server.ts';
import { signInPageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { redirectToFault } from '#app/features/connections/sign-in/sign-in-fault.server.ts';
import { maySignIn } from '#app/features/connections/sign-in/sign-in-state.server.ts';
import { performAsMember, performForSelf } from '#app/perform.server.ts';

const commandSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('begin') }),
  z.object({ intent: z.literal('end') }),
  z.object({
    intent: z.literal('set'),
    by: z.enum(['workspace', 'member']),
    owner: z.union([z.literal('').transform(() => null), z.uuid()]),
  }),
]);

type Given = SignInArguments & Awaited<ReturnType<typeof readSignIn>>;

/** Begins a sign-in, ends it, or says with whose account the connection is called. */
export async function signInAction({ request, ...asked }: SignInArguments & { request: Request }) {
  const form = await request.formData();
  const command = commandSchema.safeParse({ intent: form.get('intent'), by: form.get('by'), owner: form.get('owner') ?? '' });
  if (!command.success) throw data({ code: 'invalid_input' }, { status: 400 });
  const given = { ...asked, ...(await readSignIn(asked)) };
  const { intent } = command.data;
  const { roles } = asked.context.get(memberContext).member;
  const allowed = intent === 'set' ? can(roles, 'manageConnection') : maySignIn(asked.context, given.signIn);
  if (!allowed) throw data({ code: 'forbidden' }, { status: 403 });
  if (intent === 'begin') return begin(given);
  return intent === 'end' ? end(given) : set(given, command.data);
}

/** Asks the server anew where people sign in, keeps what coming back needs, and leads to the step that leaves. */
async function begin({ context, row, signIn }: Given) {
  const { member, read } = context.get(memberContext);
  const { engine, newId } = context.get(servicesContext);
  const { workspace, userId, sessionId } = member;
  const forMember = signIn.by === 'member';
  const privateNetwork = await read((db) => workspaceNetwork(db, workspace.id));
  const peer = { endpoint: row.endpoint, privateNetwork };
  const holder = { workspaceId: workspace.id, connectionId: row.id, userId: forMember ? userId : null };
  const id = newId();
  try {
    const challenge = wanted(await challengeOf(engine, peer), await read((db) => readWaitingScope(db, row.id, holder.userId)));
    const begun = await engine.signIns.begin(holder, challenge === undefined ? peer : { ...peer, challenge }, id);
    const { host, stateDigest, sealed, dueAt } = begun;
    const consent = { id, workspace: workspace.id, connection: row.id, session: sessionId, forMember, stateDigest, host, sealed, dueAt };
    await performForSelf(context, beginSignIn, consent);
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    return redirectToFault(row.id, error.fault);
  }
  return redirect(`${signInPageOf(row.id)}?leaving=${id}`, { status: 303 });
}

/** A consent is asked for all that the server names, and for what calls that wait have been refused for. */
function wanted(challenge: SignInChallenge | undefined, scope: string): SignInChallenge | undefined {
  if (scope === '') return challenge;
  const scopes = new Set([...(challenge?.scope ?? '').split(' '), ...scope.split(' ')].filter((one) => one !== ''));
  return { metadata: challenge?.metadata ?? null, scope: [...scopes].join(' ') };
}

async function readWaitingScope(db: Db, connectionId: string, userId: string | null): Promise<string> {
  const rows = await db
    .selectFrom('quorate.sign_in_waits')
    .where('connection_id', '=', connectionId)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('scope', 'is not', null)
    .select('scope')
    .distinct()
    .limit(50)
    .execute();
  return rows.map(({ scope }) => scope ?? '').join(' ');
}

/** The issuer is told first: afterwards nobody has the tokens any longer. */
async function end({ context, row, signIn }: Given) {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const forMember = signIn.by === 'member';
  const privateNetwork = await read((db) => workspaceNetwork(db, member.workspace.id));
  const holder = { workspaceId: member.workspace.id, connectionId: row.id, userId: forMember ? member.userId : null };
  await engine.signIns.revoke(holder, privateNetwork);
  try {
    await performAsMember(context, endSignIn, { connection: { id: row.id, name: row.name }, forMember });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  return redirectWithNotice(signInPageOf(row.id), 'connectionSignedOut');
}

async function set({ context, row, signIn }: Given, { by, owner }: { by: 'workspace' | 'member'; owner: string | null }) {
  const changed = { by, owner: by === 'member' ? owner : null, host: signIn.host };
  await performAsMember(context, setSignIn, { connection: { id: row.id, name: row.name }, signIn: changed });
  return redirectWithNotice(signInPageOf(row.id), 'signInSet');
}
