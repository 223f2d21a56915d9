import { sql } from 'kysely';
import { type ActionFunctionArgs, data } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { Role } from '#app/domain/roles.ts';
import { roleRequestSchema } from '#app/features/members/roles-schema.ts';
import { withdrawInvitation } from '#app/features/members/withdraw-action.server.ts';
import { memberContext } from '#app/request-context.ts';

type Decided = { user_id: string; name: string; before: Role[]; roles: Role[] };

const SAID = {
  granted: { action: 'member.rolesChanged', notice: 'rolesChanged' },
  refused: { action: 'member.rolesRefused', notice: 'rolesRefused' },
  withdrawn: { action: 'member.rolesWithdrawn', notice: 'rolesWithdrawn' },
} as const;

/** The buttons of the members screen: one takes an invitation back, the others decide on roles that wait for a second person. */
export async function changeMembers(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  return form.has('request') ? decideRoles(args) : withdrawInvitation(args);
}

/** The database says who may: a second person grants or refuses, who asked takes it back. */
async function decideRoles({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, roleRequestSchema);
  if (!parsed.ok) throw data({ code: 'invalid_input' }, { status: 400 });
  const { request: id, outcome } = parsed.value;
  await context.get(memberContext).change(async (db) => {
    const { rows } = await sql<Decided>`select * from quorate.decide_role_request(${id}::uuid, ${outcome})`.execute(db);
    const [decided] = rows;
    if (decided === undefined) throw data({ code: 'not_found' }, { status: 404 });
    return {
      result: null,
      event: {
        action: SAID[outcome].action,
        resource: { kind: 'member', id: decided.user_id, name: decided.name },
        payload: { request: id, before: decided.before, after: outcome === 'granted' ? decided.roles : decided.before },
      },
    };
  });
  return redirectWithNotice('/dashboard/admin/members', SAID[outcome].notice);
}
