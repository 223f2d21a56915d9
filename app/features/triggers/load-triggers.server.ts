import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';

type Context = Readonly<RouterContextProvider>;
const OFFERED_WORKFLOWS = 500;

/** The member, who must author workflows: 403 otherwise, as the database would refuse. */
export function requireAuthor(context: Context) {
  const access = context.get(memberContext);
  if (!can(access.member.roles, 'authorWorkflow')) throw data({ code: 'forbidden' }, { status: 403 });
  return access;
}

/** The workflows a new trigger may start: published ones. */
export async function loadNewTrigger(context: Context) {
  const { read, member } = requireAuthor(context);
  const workflows = await read((db) =>
    db
      .selectFrom('quorate.artifacts')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', 'workflow')
      .where('deleted_at', 'is', null)
      .where('published_version_id', 'is not', null)
      .select(['id', 'name'])
      .orderBy('name')
      .limit(OFFERED_WORKFLOWS)
      .execute(),
  );
  return { id: context.get(servicesContext).newId(), workflows };
}

/** One trigger by its id; 404 when it is none of this workspace. */
export async function loadTrigger(context: Context, id: string) {
  const { read } = requireAuthor(context);
  if (!z.uuid().safeParse(id).success) throw data({ code: 'not_found' }, { status: 404 });
  const row = await read((db) =>
    db
      .selectFrom('quorate.triggers')
      .where('id', '=', id)
      .where('kind', 'in', ['schedule', 'webhook'])
      .select(['id', 'name', 'kind'])
      .executeTakeFirst(),
  );
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return row;
}
