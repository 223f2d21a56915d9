import { data, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { SIGN_IN_FAULTS } from '#app/contracts/sign-ins.ts';
import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import { can } from '#app/domain/people/roles.ts';
import { readConnection } from '#app/features/connections/load-connection.server.ts';
import { pageOf } from '#app/features/connections/sign-in/sign-in-address.ts';
import { maySignIn, readHeld } from '#app/features/connections/sign-in/sign-in-state.server.ts';

export type SignInArguments = { params: { connection: string }; context: Readonly<RouterContextProvider> };

/** A connection that signs in, and how. Throws a 404 response where it does not. */
export async function readSignIn(given: SignInArguments) {
  const row = await readConnection({ ...given, kind: 'mcp' });
  const signIn = signInOf(row.settings);
  if (signIn === null) throw data({ code: 'not_found' }, { status: 404 });
  return { row, signIn };
}

/** The page of a connection's sign-in; with `?leaving=` the step that takes a person away, once, within its time. */
export async function loadSignIn({ url, ...given }: SignInArguments & { url: URL }) {
  const { context } = given;
  const { row, signIn } = await readSignIn(given);
  const { member, read } = context.get(memberContext);
  const leaving = url.searchParams.get('leaving');
  if (leaving !== null) {
    const away = await read((db) => readLeaving(db, given, leaving));
    if (away === null) throw redirect(pageOf(row.id));
    return { id: row.id, name: row.name, leaving: away };
  }
  const mayManage = can(member.roles, 'manageConnection');
  const people = mayManage ? await read((db) => readPeople(db, member.workspace.id)) : [];
  return {
    id: row.id,
    name: row.name,
    leaving: null,
    signIn,
    fault: faultSchema.safeParse(url.searchParams.get('fault')).data ?? null,
    held: await read((db) => readHeld(db, row.id, signIn.by === 'member' ? member.userId : null)),
    maySignIn: maySignIn(context, signIn),
    mayManage,
    people,
    owner: people.find(({ id }) => id === signIn.owner)?.name ?? null,
  };
}
const faultSchema = z.enum([...SIGN_IN_FAULTS, 'expired']);
export type LoadedSignIn = Awaited<ReturnType<typeof loadSignIn>>;

async function readLeaving(db: Db, { params, context }: SignInArguments, id: string): Promise<{ host: string; address: string } | null> {
  if (!z.uuid().safeParse(id).success) return null;
  const { engine, now } = context.get(servicesContext);
  const row = await db
    .selectFrom('quorate.oauth_consents')
    .where('id', '=', id)
    .where('connection_id', '=', params.connection)
    .where('used_at', 'is', null)
    .where('due_at', '>', now())
    .select(['host', 'sealed'])
    .executeTakeFirst();
  return row === undefined ? null : { host: row.host, address: engine.signIns.addressOf(id, row.sealed) };
}

const MOST_PEOPLE = 1_000;

function readPeople(db: Db, workspaceId: string) {
  return db
    .selectFrom('quorate.members')
    .where('workspace_id', '=', workspaceId)
    .select(['user_id as id', 'name'])
    .orderBy('name')
    .limit(MOST_PEOPLE)
    .execute();
}
