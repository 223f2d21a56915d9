import { type ActionFunctionArgs, data, href } from 'react-router';
import { readReason, refusedAsk, toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Role } from '#app/contracts/people.ts';
import { AppError } from '#app/domain/errors.ts';
import type { GroupRoles } from '#app/domain/people/company-sign-in.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { setGroupRoles } from '#app/engine/commands/sign-in/set-group-roles.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const PAGE = href('/dashboard/admin/sign-in/groups');
const MOST_ROWS = 200;

/** Saves the table as it was sent: a row without a name is none, one without roles is given back. */
export async function saveGroups({ request, context }: ActionFunctionArgs) {
  requirePermission(context, 'manageMembers');
  const form = await request.formData();
  const rows = rowsOf(form);
  const wrong = rows.find(({ roles }) => roles.length === 0);
  if (wrong !== undefined) return data({ rows, withoutRoles: wrong.name, reasonMissing: false as const }, 400);
  const groups: GroupRoles = Object.fromEntries(rows.map(({ name, roles }) => [name, roles]));
  try {
    const outcome = await performAsMember(context, setGroupRoles, { groups, reason: readReason(form) });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.field === 'reason') return data({ rows, withoutRoles: null, reasonMissing: true as const }, 400);
      return refusedAsk(error, PAGE);
    }
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
  return redirectWithNotice(PAGE, 'workspaceConfigured');
}

function rowsOf(form: FormData): { name: string; roles: Role[] }[] {
  return Array.from({ length: MOST_ROWS }, (_, at) => ({
    name: String(form.get(`group-${at}`) ?? '')
      .trim()
      .slice(0, 256),
    roles: form.getAll(`roles-${at}`).filter(isRole),
  })).filter(({ name }) => name !== '');
}
