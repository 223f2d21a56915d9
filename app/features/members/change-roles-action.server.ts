import { type ActionFunctionArgs, data } from 'react-router';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { Role } from '#app/domain/roles.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { loadMember, type MemberView } from '#app/features/members/load-member.server.ts';
import { changeRolesSchema } from '#app/features/members/roles-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** SQLSTATE of the trigger that keeps one admin. */
const LAST_ADMIN = 'QM001';

/** SQLSTATE of the trigger that has a second person agree to a new approver. */
const SECOND_PERSON = 'QM002';
const UNIQUE_VIOLATION = '23505';

/** Gives a member this set of roles, and takes every other. A new approver waits for a second person, where there is one. */
export async function changeRoles({ request, params, context }: ActionFunctionArgs) {
  const { member, change } = context.get(memberContext);
  const subject = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, changeRolesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { roles } = parsed.value;
  try {
    await change(async (db) => {
      const changed = await db
        .updateTable('quorate.members')
        .set({ roles })
        .where('workspace_id', '=', member.workspace.id)
        .where('user_id', '=', subject.userId)
        .executeTakeFirst();
      if (changed.numUpdatedRows !== 1n) throw data({ code: 'forbidden' }, { status: 403 });
      return {
        result: null,
        event: {
          action: 'member.rolesChanged',
          resource: { kind: 'member', id: subject.userId, name: subject.name },
          payload: { before: subject.roles, after: roles },
        },
      };
    });
  } catch (error) {
    if (isSqlState(error, SECOND_PERSON)) return askSecondPerson(context, subject, roles, parsed.reply);
    if (isSqlState(error, LAST_ADMIN)) return invalidForm(parsed.reply, { fieldErrors: { roles: ['lastAdmin'] } });
    throw error;
  }
  return redirectWithNotice('/dashboard/admin/members', 'rolesChanged');
}

async function askSecondPerson(context: ActionFunctionArgs['context'], subject: MemberView, roles: Role[], reply: FormReply) {
  const { member, change } = context.get(memberContext);
  const { newId } = context.get(servicesContext);
  try {
    await change(async (db) => {
      await db
        .insertInto('quorate.role_requests')
        .values({ id: newId(), workspace_id: member.workspace.id, user_id: subject.userId, roles, requested_by: member.userId })
        .execute();
      return {
        result: null,
        event: {
          action: 'member.rolesRequested',
          resource: { kind: 'member', id: subject.userId, name: subject.name },
          payload: { before: subject.roles, requested: roles },
        },
      };
    });
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION)) return invalidForm(reply, { fieldErrors: { roles: ['rolesWaitAlready'] } });
    throw error;
  }
  return redirectWithNotice('/dashboard/admin/members', 'rolesRequested', { kind: 'info' });
}
